export default function Pane() {
  return <p className="side-words">files</p>;
}
