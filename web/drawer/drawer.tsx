import { useEffect, useRef } from "react";
import { pages } from "../app/routes.ts";
import { Link } from "../ui/link.tsx";
import { focusRow, rowOf, stepRow } from "../ui/rows-at-hand.ts";
import { GroupGist } from "./group-gist.tsx";
import { LetterGist } from "./letter-gist.tsx";
import "./drawer.css";

interface DrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** The gist of a row, over the list it stands in: on a phone over all of it. */
export function Drawer({ id, onClose }: DrawerProps) {
  const box = useRef<HTMLElement>(null);
  const isGroup = id.startsWith("grp_");
  useAloneOnPhone();
  useFocus(box.current, id);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    rowOf(id)?.scrollIntoView({ block: "nearest" });
    box.current?.scrollTo(0, 0);
  }, [id]);
  return (
    <section ref={box} className="drawer" role="dialog" aria-labelledby="peeked" tabIndex={-1}>
      <div className="drawer-bar">
        <Link to={isGroup ? pages.group(id) : pages.letter(id)} look="button">
          Open the {isGroup ? "group" : "letter"}
        </Link>
        <button type="button" onClick={() => stepRow(-1)} aria-label="Previous row">
          ↑
        </button>
        <button type="button" onClick={() => stepRow(1)} aria-label="Next row">
          ↓
        </button>
        <button type="button" onClick={onClose}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
      {isGroup ? <GroupGist id={id} /> : <LetterGist id={id} />}
    </section>
  );
}

/** Whoever closes it, in whichever way, goes on at the row it was about. */
function useFocus(box: HTMLElement | null, id: string): void {
  const latest = useRef(id);
  latest.current = id;
  useEffect(
    () => () => {
      const { activeElement, body } = document;
      if (activeElement === null || activeElement === body || activeElement === box) focusRow(latest.current);
    },
    [box],
  );
}

/** What it covers can be reached by no key. */
function useAloneOnPhone(): void {
  useEffect(() => {
    const phone = matchMedia("(max-width: 40rem)");
    const covered = [...document.querySelectorAll<HTMLElement>(".skip, .bar, .demo, .rail, main")];
    const cover = (isCovered: boolean) => {
      for (const each of covered) each.inert = isCovered;
    };
    const look = () => cover(phone.matches);
    look();
    phone.addEventListener("change", look);
    return () => {
      phone.removeEventListener("change", look);
      cover(false);
    };
  }, []);
}
