// The docs pages' only script: the look that was chosen on the page. Without it, or without a choice, the system's.

import { load } from "./browser/storage";

const root = document.documentElement;
const theme = load("theme");
if (theme === "light" || theme === "dark") root.dataset.theme = theme;
root.classList.toggle("projector", load("projector") === "on");
