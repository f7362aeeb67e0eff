import { useState } from "react";

const themes = ["system", "light", "dark"] as const;

/** System first; whoever overrides it is remembered by this browser. */
export function ThemeButton() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? "system");
  const next = themes[(themes.indexOf(theme as (typeof themes)[number]) + 1) % themes.length] ?? "system";
  const choose = () => {
    document.documentElement.dataset.theme = next;
    localStorage.setItem("dlo-theme", next);
    setTheme(next);
  };
  return (
    <button type="button" onClick={choose}>
      Theme: {theme}
    </button>
  );
}
