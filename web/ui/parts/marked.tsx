// Text in the plain part of Markdown.

import { blocks, type Inline, inline } from "../text/marked";

function Parts({ of }: { of: readonly Inline[] }) {
  return (
    <>
      {of.map((part, at) => {
        switch (part.kind) {
          case "code":
            return <code key={at}>{part.text}</code>;
          case "bold":
            return <b key={at}>{part.text}</b>;
          case "emphasis":
            return <em key={at}>{part.text}</em>;
          case "link":
            return (
              <a key={at} href={part.href} target="_blank" rel="noopener">
                {part.text}
              </a>
            );
          default:
            return part.text;
        }
      })}
    </>
  );
}

/** One line of it. */
export const MarkedLine = ({ text }: { text: string }) => <Parts of={inline(text)} />;

export function Marked({ text }: { text: string }) {
  return (
    <>
      {blocks(text).map((block, at) =>
        block.kind === "paragraph" ? (
          <p key={at}>
            <Parts of={block.text} />
          </p>
        ) : (
          <ul key={at}>
            {block.items.map((item, number) => (
              <li key={number}>
                <Parts of={item} />
              </li>
            ))}
          </ul>
        ),
      )}
    </>
  );
}
