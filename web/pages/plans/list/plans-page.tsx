export default function PlansPage() {
  return <main />;
}
