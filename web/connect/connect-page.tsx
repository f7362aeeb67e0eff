import { useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAction } from "../app/use-action.ts";
import { useAnswer } from "../app/use-answer.ts";
import { useForbidden } from "../ui/act.tsx";
import { Trouble } from "../ui/notice.tsx";
import { type Address, AddressForm } from "./address-form.tsx";
import { DrainingNow } from "./draining-now.tsx";
import { FoundQueues } from "./found-queues.tsx";
import { LeastRights } from "./least-rights.tsx";

/** From an address to letters in the ledger: looked at first, and drained only by somebody's word. */
export function ConnectPage() {
  const forbidden = useForbidden("sources.add");
  return (
    <>
      <h1>Connect a source</h1>
      {forbidden === null ? <Connecting /> : <p>Only an admin who is signed in connects a source.</p>}
    </>
  );
}

function Connecting() {
  const guides = useAnswer("sources.guides", {}, null);
  const looking = useAction("sources.look");
  const [found, setFound] = useState<{ readonly address: Address; readonly seen: OutputOf<"sources.look"> } | null>(
    null,
  );
  const [connected, setConnected] = useState<string | null>(null);
  const [broker, setBroker] = useState("rabbitmq");
  const guide = guides.data?.items.find((each) => each.broker === broker);
  const choose = (chosen: string) => {
    setBroker(chosen);
    setFound(null);
  };
  const look = async (address: Address) => {
    setFound(null);
    const seen = await looking.run(address);
    if (seen !== null) setFound({ address, seen });
  };
  if (connected !== null) return <DrainingNow source={connected} rights={guide?.rights ?? []} />;
  return (
    <>
      <Trouble answer={guides} />
      <AddressForm
        guides={guides.data?.items ?? []}
        broker={broker}
        onBroker={choose}
        isBusy={looking.isBusy}
        onLook={(address) => void look(address)}
      />
      {looking.refused === null ? null : (
        <p role="alert" className="trouble">
          {looking.refused.message} {looking.refused.hint}
        </p>
      )}
      {guide === undefined ? null : <LeastRights rights={guide.rights} isOpen={looking.refused !== null} />}
      {found === null ? null : <FoundQueues {...found} onConnected={setConnected} />}
    </>
  );
}
