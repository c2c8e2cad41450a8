export default function Pane() {
  return <p className="side-words">timeline</p>;
}
