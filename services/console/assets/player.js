// Plays one animation that the page around this frame sends. The frame has no origin: whatever an animation does stays here.
"use strict";
addEventListener("message", (event) => {
  if (event.source !== parent || typeof event.data !== "string") return;
  const animationData = JSON.parse(event.data);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  lottie.loadAnimation({ container: document.getElementById("stage"), renderer: "svg", loop: !still, autoplay: !still, animationData });
}, { once: true });
parent.postMessage("ready", "*");
