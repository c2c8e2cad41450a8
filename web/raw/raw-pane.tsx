export default function Pane() {
  return <p className="side-words">raw</p>;
}
