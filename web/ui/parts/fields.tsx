// Form fields that say what is wrong with them.

import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { parseWhole } from "../state/settings";

interface TextProps {
  label: string;
  value: string;
  error: string | null;
  wide?: boolean;
  className?: string;
  numeric?: boolean;
  placeholder?: string;
  onInput: (text: string) => void;
  onEnter: () => void;
}

export function TextField({ label, value, error, wide, className, numeric, placeholder, onInput, onEnter }: TextProps) {
  const id = useId();
  return (
    <span class={`field${wide ? " wide" : ""}${className ? ` ${className}` : ""}`}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={numeric ? "numeric" : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        aria-invalid={error !== null}
        aria-describedby={error !== null ? `${id}-error` : undefined}
        onInput={(e) => onInput(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key !== "Enter" || e.ctrlKey || e.metaKey) return;
          // The focus may go to a button, which is not to be pressed by the same key.
          e.preventDefault();
          onEnter();
        }}
      />
      {error !== null && (
        <span class="error" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </span>
  );
}

interface NumberProps {
  label: string;
  value: number;
  low: number;
  high: number;
  /** The number, or `null` while the text is none. */
  onChange: (value: number | null) => void;
  onEnter: () => void;
}

export function NumberField({ label, value, low, high, onChange, onEnter }: NumberProps) {
  const text = useSignal(String(value));
  useEffect(() => {
    if (parseWhole(text.peek(), low, high) !== value) text.value = String(value);
  }, [value]);
  // What is typed goes with the field; what was no number then stands in no one's way any more.
  const leave = useRef(() => {});
  leave.current = () => void (typeof parseWhole(text.peek(), low, high) === "string" && onChange(value));
  useEffect(() => () => leave.current(), []);
  const parsed = parseWhole(text.value, low, high);
  const onInput = (typed: string): void => {
    text.value = typed;
    const n = parseWhole(typed, low, high);
    onChange(typeof n === "number" ? n : null);
  };
  return (
    <TextField
      label={label}
      value={text.value}
      error={typeof parsed === "string" ? parsed : null}
      numeric
      onInput={onInput}
      onEnter={onEnter}
    />
  );
}

interface OptionalProps extends Omit<NumberProps, "value" | "onChange"> {
  value: number | null;
  /** What an empty field means. */
  without: string;
  onChange: (value: number | null | "wrong") => void;
}

/** A number that need not be given. */
export function OptionalNumberField({ label, value, low, high, without, onChange, onEnter }: OptionalProps) {
  const read = (typed: string): number | string | null => (typed.trim() === "" ? null : parseWhole(typed, low, high));
  const text = useSignal(value === null ? "" : String(value));
  useEffect(() => {
    if (read(text.peek()) !== value) text.value = value === null ? "" : String(value);
  }, [value]);
  const leave = useRef(() => {});
  leave.current = () => void (typeof read(text.peek()) === "string" && onChange(value));
  useEffect(() => () => leave.current(), []);
  const parsed = read(text.value);
  const onInput = (typed: string): void => {
    text.value = typed;
    const n = read(typed);
    onChange(typeof n === "string" ? "wrong" : n);
  };
  return (
    <TextField
      label={label}
      value={text.value}
      error={typeof parsed === "string" ? parsed : null}
      placeholder={without}
      numeric
      onInput={onInput}
      onEnter={onEnter}
    />
  );
}

export function Switch({ label, checked, onChange }: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label class="switch">
      <input type="checkbox" checked={checked} onChange={(e) => onChange(e.currentTarget.checked)} />
      {label}
    </label>
  );
}
