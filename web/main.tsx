import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { beginAt } from "./app/page-at.tsx";
import { placeNow } from "./app/routes.ts";
import "./app/theme.css";
import "./ui/controls.css";
import "./ui/plot.css";
import "./ui/states.css";
import "./ui/table.css";

beginAt(placeNow());

const place = document.getElementById("root");
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
