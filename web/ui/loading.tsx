import "./loading.css";

const rows = ["one", "two", "three", "four", "five", "six"];

/** Where rows will be, shown once their coming takes long enough to be noticed; and a word when it takes longer than usual. */
export function Loading() {
  return (
    <div className="loading">
      <p className="fresh">Loading…</p>
      <div aria-hidden="true">
        {rows.map((row) => (
          <div key={row} className="row-to-come" />
        ))}
      </div>
      <p className="fresh long">The office is slower than usual. It is still at it.</p>
    </div>
  );
}
