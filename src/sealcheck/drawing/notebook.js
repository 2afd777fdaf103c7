// Each player on this page that does not play yet; its style stays inside.
for (const place of document.querySelectorAll(".sealcheck-player")) {
  if (place.shadowRoot) continue;
  const style = document.createElement("style");
  style.textContent = STYLE;
  const parts = [...place.childNodes];
  place.attachShadow({ mode: "open" }).append(style, ...parts);
  play(place.shadowRoot.querySelector(".player"));
}
