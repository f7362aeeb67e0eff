import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import "./app/theme.css";
import "./ui/controls.css";
import "./ui/plot.css";
import "./ui/states.css";
import "./ui/table.css";

const place = document.getElementById("root");
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
