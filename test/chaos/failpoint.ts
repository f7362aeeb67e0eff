/** Where in its work a process ends itself, as a kill from outside would at that very moment. */
export interface Failpoint {
  /** One of the steps that the broker's driver, or the inbox, knows. */
  readonly step: string;
  /** "during": asked for, and the answer not waited for; whether it was done nobody knows. */
  readonly moment: "before" | "during" | "after";
}

type Moment = Failpoint["moment"];

/** Failpoints from a table of steps, each with the moments that make a difference. */
export function failpointsOf(steps: Readonly<Record<string, readonly Moment[]>>): readonly Failpoint[] {
  return Object.entries(steps).flatMap(([step, moments]) => moments.map((moment) => ({ step, moment })));
}

/** Runs one step of the work, or dies of it. */
export async function pass<Answer>(
  step: string | undefined,
  failpoint: Failpoint | undefined,
  run: () => Promise<Answer>,
): Promise<Answer> {
  if (failpoint === undefined || step !== failpoint.step) return run();
  if (failpoint.moment === "before") die();
  const answer = run();
  if (failpoint.moment === "during") setImmediate(die);
  await answer;
  return die();
}

/** To be called at each step of the work: dies at that one, the time after so many. */
export function dyingAt<Step>(task: { readonly step: Step | null; readonly after: number }): (step: Step) => void {
  let passed = 0;
  return (step) => {
    if (step !== task.step) return;
    passed += 1;
    if (passed > task.after) die();
  };
}

/** No handler, no flush, no farewell. */
export function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("A process outlived its own end.");
}
