import { defineConfig } from "vite";

/** The web UI, built into the package: every file from the office itself, none inlined, so that a strict CSP holds. */
export default defineConfig({
  root: import.meta.dirname,
  build: { outDir: "../dist/web", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  experimental: {
    // Code that loads more finds it beside itself: which path the office lies under is not known yet. The page says it where it is served.
    renderBuiltUrl: (_name, { hostType }) => (hostType === "js" ? { relative: true } : undefined),
  },
});
