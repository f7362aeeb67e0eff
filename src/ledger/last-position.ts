/** Where the letter `l` with the bodies `b` was found last: one that came back is not where it was when it arrived. */
export function lastPosition(at: string): string {
  return `coalesce((
         select a.details::json ->> 'position' from ${at}.attempts a
         where l.replays > 0 and a.letter_id = l.id and a.kind = 'returned' order by a.n desc limit 1
       ), b.position)`;
}
