import { Act } from "../ui/act.tsx";
import { Ago } from "../ui/age.tsx";
import { quoted } from "../ui/quoted.ts";
import { useAnswer } from "./use-answer.ts";

/** One button, on every page: whoever sees that something goes wrong has no time to look for it. */
export function StopSending() {
  const status = useAnswer("status.get", {});
  if (status.data === null || status.data.stopped !== null) return null;
  return (
    <Act
      operation="replays.pauseAll"
      tone="danger"
      label="Stop all sending"
      short="Stop"
      reason="optional"
      keep="Keep sending"
      command={(why) => `dlo replay pause --all${why === "" ? "" : ` --reason ${quoted(why)}`}`}
      input={(reason) => ({ reason })}
      onDone={() => location.reload()}
    >
      <p>
        Every replay that runs is paused within a second, and none starts or goes on until somebody releases it. What
        was sent cannot be recalled.
      </p>
    </Act>
  );
}

/** There until somebody releases it. */
export function StoppedBanner() {
  const stopped = useAnswer("status.get", {}).data?.stopped ?? null;
  if (stopped === null) return null;
  return (
    <div role="alert" className="banner">
      <p>
        <b>All sending is stopped.</b> {stopped.by}, <Ago since={stopped.at} />
        {stopped.reason === null ? "" : `: ${stopped.reason}`}. No replay starts or goes on.
      </p>
      <Act
        operation="replays.release"
        label="Release sending"
        keep="Leave it stopped"
        command={(why) => `dlo replay release --reason ${quoted(why || "…")}`}
        input={(reason) => ({ reason })}
        onDone={() => location.reload()}
      >
        <p>Replays may start and go on again. Those that were paused stay so: each is resumed by itself.</p>
      </Act>
    </div>
  );
}
