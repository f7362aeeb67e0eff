// Before the first paint, so that nobody who works in the dark is flashed at.
document.documentElement.dataset.theme = localStorage.getItem("dlo-theme") ?? "system";
