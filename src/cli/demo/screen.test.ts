import { expect, it } from "vitest";
import { fakeWindow } from "../../../test/cli/fake-window.ts";
import { Screen } from "./screen.ts";

function fakeTerminal(options?: { readonly isTTY: boolean }) {
  const keys: string[] = [];
  const { window, ...rest } = fakeWindow({ columns: 20, rows: 3, ...options });
  const screen = new Screen(window.keyboard, window.display, (key) => keys.push(key));
  return { screen, keys, ...rest };
}

it("takes the window over and gives it back as it was, once", () => {
  const { screen, keyboard, take } = fakeTerminal();
  screen.open();
  expect(take()).toContain("\u001b[?1049h\u001b[?25l");
  expect(keyboard).toMatchObject({ raw: true, flowing: true });
  screen.close();
  expect(take()).toContain("\u001b[?25h\u001b[?1049l");
  expect(keyboard).toMatchObject({ raw: false, flowing: false });
  expect(keyboard.listenerCount("data")).toBe(0);
  screen.close();
  expect(take()).toBe("");
});

it("sends only the lines that changed, without scrolling", () => {
  const { screen, take } = fakeTerminal();
  screen.open();
  screen.show(["one", "two", "three"]);
  take();
  screen.show(["one", "TWO", "three"]);
  const sent = take();
  expect(sent).toContain("\u001b[2;1HTWO");
  expect(sent).not.toContain("one");
  expect(sent).not.toContain("\n");
  screen.show(["one", "TWO", "three"]);
  expect(take()).toBe("");
});

it("draws everything anew when the window changes its size", () => {
  const { screen, size, take } = fakeTerminal();
  screen.open();
  screen.show(["one", "two"]);
  take();
  size.columns = 30;
  screen.show(["one", "two"]);
  expect(take()).toContain("\u001b[2J\u001b[1;1Hone");
});

it("hears keys while it is open", () => {
  const { screen, keyboard, keys } = fakeTerminal();
  screen.open();
  keyboard.emit("data", Buffer.from("q"));
  screen.close();
  keyboard.emit("data", Buffer.from("x"));
  expect(keys).toEqual(["q"]);
});

it("leaves a keyboard alone that is none", () => {
  const { screen, keyboard } = fakeTerminal({ isTTY: false });
  screen.open();
  expect(screen.hasKeys).toBe(false);
  expect(keyboard).toMatchObject({ raw: false, flowing: false });
});

it("draws nothing once it is closed", () => {
  const { screen, take } = fakeTerminal();
  screen.open();
  screen.close();
  take();
  screen.show(["late"]);
  expect(take()).toBe("");
});
