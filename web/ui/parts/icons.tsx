// Small drawn signs: the characters for these are missing from many fonts.

const PATHS = {
  first: "M4 3v10M13 3L6 8l7 5z",
  back: "M12 3L4 8l8 5z",
  on: "M4 3l8 5-8 5z",
  play: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M6.5 5v6l5-3z",
  pause: "M5 3v10M11 3v10",
  last: "M12 3v10M3 3l7 5-7 5z",
  close: "M4 4l8 8M12 4l-8 8",
  again: "M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  beside: "M2 3h5v10H2zM9 3h5v10H9z",
  settings: "M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7M11 2.5v4M5 9.5v4",
} as const;

const OUTLINED: readonly string[] = ["close", "again", "beside", "more", "play", "settings"];

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="1em" height="1em" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill={OUTLINED.includes(name) ? "none" : "currentColor"}
        stroke="currentColor"
        stroke-width={name === "more" ? 3 : 1.8}
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  );
}
