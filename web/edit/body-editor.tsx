import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";

export interface BodyEditorProps {
  /** What it begins with. Another one begins anew. */
  readonly text: string;
  readonly isJson: boolean;
  readonly label: string;
  readonly onChange: (text: string) => void;
}

/**
 * An editor of text, byte for byte what is in it. It lives in a shadow root, which takes its style sheets as objects: in the page
 * itself they would be inline, which the content policy refuses. Tab leaves it, as it leaves any field.
 */
export function BodyEditor({ text, isJson, label, onChange }: BodyEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const extensions = [...plain(label), ...(isJson ? asJson : []), listening((changed) => tell.current(changed))];
    const state = EditorState.create({ doc: text, extensions });
    const view = new EditorView({ state, parent: root, root });
    return () => view.destroy();
  }, [text, isJson, label]);
  return <div ref={place} data-editor className="editor" />;
}

function listening(changed: (text: string) => void): Extension {
  return EditorView.updateListener.of((update) => {
    if (update.docChanged) changed(update.state.sliceDoc());
  });
}

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", border: "1px solid var(--border)" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", maxHeight: "30rem", lineHeight: "1.45" },
  ".cm-gutters": { color: "var(--muted)", backgroundColor: "var(--raised)", borderColor: "var(--line)" },
  ".cm-cursor": { borderColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--now-back)",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--warn-back) !important" },
  // Its own mark is an image inside the style sheet, which the content policy refuses.
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-tooltip": { color: "var(--text)", backgroundColor: "var(--raised)", borderColor: "var(--border)" },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--transient)" },
  { tag: tags.string, color: "var(--lost)" },
  { tag: tags.number, color: "var(--schema)" },
  { tag: [tags.bool, tags.null], color: "var(--rule)" },
]);

function plain(label: string): readonly Extension[] {
  return [
    // Only this ends a line, so that a carriage return stays the byte it was.
    EditorState.lineSeparator.of("\n"),
    lineNumbers(),
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    look,
  ];
}

const asJson = [json(), bracketMatching(), syntaxHighlighting(colours), linter(jsonParseLinter())];
