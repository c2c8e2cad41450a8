// The least a page can do with the same frames: parse, append the text, stay scrolled to the end.
const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/[^/]*$/, 'ws'));
const targets = new Map();

function targetOf({ sessionId, itemId }) {
  const key = `${sessionId} ${itemId}`;
  let target = targets.get(key);
  if (target === undefined) {
    let column = document.getElementById(sessionId);
    if (column === null) {
      column = document.createElement('pre');
      column.id = sessionId;
      column.style.cssText = 'float:left;width:33%;height:50vh;overflow:auto;white-space:pre-wrap;margin:0';
      document.body.append(column);
    }
    const text = document.createTextNode('');
    column.append(text);
    target = { column, text };
    targets.set(key, target);
  }
  return target;
}

socket.addEventListener('message', ({ data }) => {
  const frame = JSON.parse(data);
  if (frame.type !== 'delta') return;
  const { column, text } = targetOf(frame);
  text.appendData(frame.text);
  column.scrollTop = column.scrollHeight;
});
socket.addEventListener('open', () => socket.send('{"type":"hello","v":1}'));
