import { keyFor } from "../app/key-map.ts";
import { pages } from "../app/routes.ts";
import { useKeyMap } from "../app/use-key-map.ts";
import { Link } from "../ui/link.tsx";
import { placeInInbox } from "./inbox-order.ts";

/** To the group before or after this one, as the inbox had them when it was left: nobody goes back for each. */
export function WalkGroups({ id }: { readonly id: string }) {
  const place = placeInInbox(id);
  if (place === null) return null;
  return (
    <nav aria-label="Groups of the inbox" className="pages">
      <span className="muted">
        {place.at} of {place.of} in the inbox
      </span>
      <Neighbour to={place.before} by="[" name="Previous group" />
      <Neighbour to={place.after} by="]" name="Next group" />
    </nav>
  );
}

interface NeighbourProps {
  readonly to: string | null;
  readonly by: "[" | "]";
  readonly name: string;
}

function Neighbour({ to, by, name }: NeighbourProps) {
  const key = keyFor(useKeyMap(), by);
  if (to === null) return null;
  return (
    <span data-walk={by}>
      <Link to={pages.group(to)}>{name}</Link> {key === null ? null : <kbd>{key}</kbd>}
    </span>
  );
}
