import { defineConfig } from "vite";

/** The web UI, built into the package: every file from the office itself, none inlined, so that a strict CSP holds. */
export default defineConfig({
  root: import.meta.dirname,
  build: { outDir: "../dist/web", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: false },
});
