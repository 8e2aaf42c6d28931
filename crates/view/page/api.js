// Questions to the server that served this page.

// Asks, or sends where there is a body; an error has the server's words.
export async function call(path, body) {
  const options =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, options);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error ?? String(answer.status));
  return told;
}

// A file as text.
export async function textOf(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.json()).error ?? String(answer.status));
  return answer.text();
}

// Curves of a run over time, thinned where it has more instants than a picture has pixels.
export async function seriesOf(run, names) {
  const { frames } = await call(`view/${run}/api/status`);
  const stride = Math.max(1, Math.ceil(frames / 2000));
  const query = names.map((name) => `curve=${encodeURIComponent(name)}`).join("&");
  const answer = await fetch(`view/${run}/api/series?${query}&stride=${stride}`);
  if (!answer.ok) throw new Error((await answer.json()).error ?? String(answer.status));
  const buffer = await answer.arrayBuffer();
  const [points, curves] = new Uint32Array(buffer, 0, 2);
  const part = (k) => new Float64Array(buffer, 8 + 8 * points * k, points);
  return { times: part(0), values: Array.from({ length: curves }, (_, k) => part(k + 1)) };
}
