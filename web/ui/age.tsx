import { showAge } from "../../src/domain/duration.ts";

/** Less says nothing to a person. */
const leastMs = 1_000;

/** How long ago, with the moment itself on hover and for machines. */
export function Age({ since }: { readonly since: string | null }) {
  if (since === null) return <>–</>;
  return (
    <time dateTime={since} title={since}>
      {showAge(Math.max(leastMs, Date.now() - Date.parse(since)))}
    </time>
  );
}
