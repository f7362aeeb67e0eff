import { useState } from "react";
import { allowTerminal } from "../app/office.ts";

/** Asks whether the terminal that opened it may act for whoever is signed in, and brings it its code. */
export function TerminalPage({ who, query }: { readonly who: string; readonly query: URLSearchParams }) {
  const [refused, setRefused] = useState("");
  const challenge = query.get("challenge") ?? "";
  const port = Number(query.get("port"));
  if (challenge === "" || !Number.isInteger(port) || port < 1 || port > 65_535)
    return <p role="alert">This address is not whole. Start again in your terminal: dlo login</p>;
  const allow = async () => {
    const answer = await allowTerminal(challenge);
    if (!("code" in answer)) return setRefused(`${answer.message} ${answer.hint ?? ""}`);
    const back = new URLSearchParams({ code: answer.code, state: query.get("state") ?? "" });
    // Only this machine: a code must not be sent to whoever made a link.
    location.assign(`http://127.0.0.1:${port}/?${back.toString()}`);
  };
  return (
    <main className="door">
      <h1>Let a terminal in?</h1>
      <p>
        A terminal on this machine asks to act as <strong>{who}</strong>. Allow it only if you have just run{" "}
        <code>dlo login</code> and it shows <code>{challenge.slice(0, 6)}</code>.
      </p>
      <button type="button" onClick={() => void allow()}>
        Allow this terminal
      </button>
      <p role="alert">{refused}</p>
    </main>
  );
}
