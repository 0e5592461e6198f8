// Plays one animation sent by the embedding page. The frame has no origin, which isolates the animation.
"use strict";
addEventListener("message", (event) => {
  if (event.source !== parent || typeof event.data !== "string") return;
  const animationData = JSON.parse(event.data);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  lottie.loadAnimation({ container: document.getElementById("stage"), renderer: "svg", loop: !still, autoplay: !still, animationData });
}, { once: true });
parent.postMessage("ready", "*");
