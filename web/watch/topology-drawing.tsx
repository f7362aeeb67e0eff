import { pages } from "../app/routes.ts";
import { Link } from "../ui/link.tsx";
import { box, type DrawnBox, drawingWidth, layOut, ledgerBox, shortened, type Topology } from "./topology-layout.ts";
import "./topology.css";

/** From left to right; what is dashed goes back. The table below says the same. */
export function TopologyDrawing({ topology }: { readonly topology: Topology }) {
  const { height, headings, boxes, lines } = layOut(topology);
  return (
    <figure className="topology" aria-label="A drawing; the tables below say the same in words">
      <svg viewBox={`0 0 ${drawingWidth} ${height}`}>
        <title>Where messages go</title>
        <Arrows />
        {headings.map(({ y, text }) => (
          <text key={y} className="topology-source" x="8" y={y}>
            {text}
          </text>
        ))}
        {lines.map(({ key, path, kind, weight, label }) => (
          <g key={key}>
            <path className={`topology-${kind} weight-${weight}`} d={path} markerEnd={`url(#${kind})`} />
            {label === null ? null : (
              <text className="topology-block" x={label.x} y={label.y} textAnchor="middle">
                {label.text}
              </text>
            )}
          </g>
        ))}
        <g className="topology-box">
          <rect className="ledger" x={ledgerBox.x} y="4" width={ledgerBox.width} height={height - 8} rx="6" />
          <text x={ledgerBox.x + ledgerBox.width / 2} y="28" textAnchor="middle">
            Ledger
          </text>
        </g>
        {boxes.map((each) => (
          <Box key={each.key} drawn={each} />
        ))}
      </svg>
    </figure>
  );
}

function Arrows() {
  return (
    <defs>
      {(["goes", "replayed"] as const).map((kind) => (
        <marker
          key={kind}
          id={kind}
          className={`topology-tip ${kind}`}
          viewBox="0 0 8 8"
          refX="2"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 0 L8 4 L0 8 z" />
        </marker>
      ))}
    </defs>
  );
}

const kinds = { queue: "Queue", service: "Service", "dead letters": "Dead-letter queue" } as const;

function Box({ drawn }: { readonly drawn: DrawnBox }) {
  const { kind, x, y, name, about, focus, isWarned } = drawn;
  return (
    <g className={`topology-box${isWarned ? " warned" : ""}`}>
      <Link to={pages.topology(focus)}>
        <title>{`${kinds[kind]} ${name}, ${about}${isWarned ? ", see the warnings below" : ""}`}</title>
        <rect
          className={kind.replace(" ", "-")}
          x={x}
          y={y}
          width={box.width}
          height={box.height}
          rx={kind === "service" ? 20 : 5}
        />
        <text x={x + 14} y={y + 18}>
          {shortened(name)}
        </text>
        <text className="about" x={x + 14} y={y + 34}>
          {isWarned ? `⚠ ${about}` : about}
        </text>
      </Link>
    </g>
  );
}
