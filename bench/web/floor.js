// The least a page can do with the same frames: parse, append the text, stay at the end.
const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/[^/]*$/, 'ws'));
const places = new Map();

function placeOf({ sessionId, itemId }) {
  const key = `${sessionId} ${itemId}`;
  let place = places.get(key);
  if (place === undefined) {
    let column = document.getElementById(sessionId);
    if (column === null) {
      column = document.createElement('pre');
      column.id = sessionId;
      column.style.cssText = 'float:left;width:33%;height:50vh;overflow:auto;white-space:pre-wrap;margin:0';
      document.body.append(column);
    }
    const text = document.createTextNode('');
    column.append(text);
    place = { column, text };
    places.set(key, place);
  }
  return place;
}

socket.addEventListener('message', ({ data }) => {
  const frame = JSON.parse(data);
  if (frame.type !== 'delta') return;
  const { column, text } = placeOf(frame);
  text.appendData(frame.text);
  column.scrollTop = column.scrollHeight;
});
socket.addEventListener('open', () => socket.send('{"type":"hello","v":1}'));
