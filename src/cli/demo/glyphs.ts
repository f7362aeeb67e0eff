/** The characters of the picture. Those of Unicode are all one column wide, whatever the terminal's language. */
export interface Glyphs {
  readonly horizontal: string;
  readonly vertical: string;
  readonly corners: { readonly nw: string; readonly ne: string; readonly sw: string; readonly se: string };
  readonly arrow: { readonly right: string; readonly up: string; readonly down: string };
  /** One message in a queue. */
  readonly message: string;
  /** Of a bar: full, empty, and the mark at a threshold. */
  readonly bar: { readonly full: string; readonly empty: string; readonly mark: string };
  /** Before a line of the feed. */
  readonly signs: Readonly<Record<"plain" | "good" | "waiting" | "bad", string>>;
  /** A handler without work. */
  readonly idle: string;
  readonly act: { readonly played: string; readonly ahead: string };
}

const drawn: Glyphs = {
  horizontal: "─",
  vertical: "│",
  corners: { nw: "╭", ne: "╮", sw: "╰", se: "╯" },
  arrow: { right: "▶", up: "▲", down: "▼" },
  message: "▪",
  bar: { full: "━", empty: "─", mark: "┃" },
  signs: { plain: "·", good: "✓", waiting: "↻", bad: "✗" },
  idle: "·",
  act: { played: "●", ahead: "○" },
};

const typed: Glyphs = {
  horizontal: "-",
  vertical: "|",
  corners: { nw: "+", ne: "+", sw: "+", se: "+" },
  arrow: { right: ">", up: "^", down: "v" },
  message: "#",
  bar: { full: "#", empty: ".", mark: "|" },
  signs: { plain: " ", good: "+", waiting: "~", bad: "x" },
  idle: ".",
  act: { played: "*", ahead: "." },
};

export function glyphsFor({ unicode }: { readonly unicode: boolean }): Glyphs {
  return unicode ? drawn : typed;
}
