import { showAge } from "../../src/domain/duration.ts";

/** How long ago, with the moment itself on hover and for machines. */
export function Age({ since }: { readonly since: string | null }) {
  if (since === null) return <>–</>;
  return (
    <time dateTime={since} title={since}>
      {showAge(Math.max(0, Date.now() - Date.parse(since)))}
    </time>
  );
}
