import { Controls, type Node, ReactFlow, ReactFlowProvider, useReactFlow, useStore, ViewportPortal } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import './graph.css';
import { Plus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { Drawing, StepListProps, StepView } from '../steps/step-view.ts';
import { GraphLines } from './graph-lines.tsx';
import { GraphStep, type GraphStepData } from './graph-step.tsx';
import { type GraphLayout, type Line, layoutGraph, STEP_HEIGHT, STEP_WIDTH } from './layout.ts';
import { isArrow, stepBeside } from './move.ts';

export interface GraphViewProps extends StepListProps {
  /** Set where steps can be added: a button on each line of the chosen step. */
  readonly onInsert?: ((line: Line) => void) | undefined;
}

const NODE_TYPES = { step: GraphStep };

/** The graph of a plan: steps in columns, lines between them. It can be moved and zoomed. */
export default function GraphView(props: GraphViewProps) {
  return (
    <ReactFlowProvider>
      <Graph {...props} />
    </ReactFlowProvider>
  );
}

function Graph({ drawing, chosen, onChoose, onInsert }: GraphViewProps) {
  const layout = useLayout(drawing);
  const nodes = useNodes(drawing, layout, chosen);
  const cursor = useCursor(drawing, layout, chosen, onChoose);
  useFitToShape(layout);
  const isFar = useStore(({ transform }) => transform[2] < READABLE);
  return (
    <div className={isFar ? 'graph far' : 'graph'}>
      <ReactFlow
        nodes={nodes}
        nodeTypes={NODE_TYPES}
        onNodeClick={(_event, { id }) => onChoose(id)}
        onPaneClick={() => onChoose(undefined)}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements
        disableKeyboardA11y
        panOnScroll
        zoomOnDoubleClick={false}
        minZoom={0.15}
        maxZoom={1.5}
        fitView
        fitViewOptions={FIT}
        proOptions={NO_LINK}
        role="presentation"
      >
        <ViewportPortal>
          <GraphLines lines={layout.lines} drawing={drawing} />
          {onInsert !== undefined && <InsertButtons lines={linesOf(layout, chosen, drawing)} onInsert={onInsert} />}
        </ViewportPortal>
        <Controls showInteractive={false} position="bottom-left" fitViewOptions={FIT} />
      </ReactFlow>
      {cursor}
    </div>
  );
}

/** Below this zoom, words are too small to read. */
const READABLE = 0.4;

const FIT = { padding: 0.08, maxZoom: 1 } as const;
/** The library is named in Settings › About; a link on every graph would be a tab stop. */
const NO_LINK = { hideAttribution: true } as const;

/** Only steps and their needs matter for places, so nothing moves while agents work. */
function useLayout({ steps }: Drawing): GraphLayout {
  const shape = JSON.stringify(steps.map(({ id, needs }) => [id, needs]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal shapes have the same layout
  return useMemo(() => layoutGraph(steps), [shape]);
}

/** The same objects for what did not change: the library then draws nothing again. */
function useNodes({ steps, marks, critical }: Drawing, { places }: GraphLayout, chosen: string | undefined): Node<GraphStepData>[] {
  const before = useRef<ReadonlyMap<string, Node<GraphStepData>>>(new Map());
  const nodes = useMemo(() => {
    return steps.map((step): Node<GraphStepData> => {
      const position = places.get(step.id) ?? { x: 0, y: 0 };
      const data = { step, mark: marks.get(step.id), isChosen: step.id === chosen, isCritical: critical.has(step.id) };
      const known = before.current.get(step.id);
      const isSame = known !== undefined && known.position.x === position.x && known.position.y === position.y && isSameData(known.data, data);
      return isSame ? known : { id: step.id, type: 'step', position, data, width: STEP_WIDTH, height: STEP_HEIGHT };
    });
  }, [steps, marks, critical, places, chosen]);
  useEffect(() => {
    before.current = new Map(nodes.map((node) => [node.id, node]));
  }, [nodes]);
  return nodes;
}

const isSameData = (a: GraphStepData, b: GraphStepData): boolean =>
  a.step === b.step && a.mark === b.mark && a.isChosen === b.isChosen && a.isCritical === b.isCritical;

/** A plan that grew is shown whole again. */
function useFitToShape(layout: GraphLayout): void {
  const { fitView } = useReactFlow();
  const shown = useRef(layout);
  useEffect(() => {
    if (shown.current === layout) return;
    shown.current = layout;
    void fitView(FIT);
  }, [layout, fitView]);
}

const linesOf = ({ lines }: GraphLayout, chosen: string | undefined, { lineMarks }: Drawing): readonly Line[] =>
  lines.filter(({ id, from, to }) => (from === chosen || to === chosen) && lineMarks.get(id) !== 'removed');

function InsertButtons({ lines, onInsert }: { readonly lines: readonly Line[]; readonly onInsert: (line: Line) => void }) {
  return lines.map((line) => (
    <button
      key={line.id}
      type="button"
      className="graph-insert"
      style={{ left: line.middle.x, top: line.middle.y }}
      aria-label={`Insert a step between ${line.from} and ${line.to}`}
      onClick={() => onInsert(line)}
    >
      <Plus size={12} aria-hidden="true" />
    </button>
  ));
}

/** One tab stop for the whole graph: arrow keys follow its lines. Says what is chosen. */
function useCursor(drawing: Drawing, layout: GraphLayout, chosen: string | undefined, onChoose: (id: string) => void) {
  const { setCenter, getZoom } = useReactFlow();
  const show = (id: string) => {
    onChoose(id);
    const place = layout.places.get(id);
    if (place !== undefined) void setCenter(place.x + STEP_WIDTH / 2, place.y + STEP_HEIGHT / 2, { zoom: getZoom(), duration: 0 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isArrow(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = stepBeside(drawing.steps, layout.places, chosen, event.key);
    if (next !== undefined && next !== chosen) show(next);
  };
  const step = drawing.steps.find(({ id }) => id === chosen);
  return (
    <>
      <button type="button" className="graph-cursor" onKeyDown={onKeyDown}>
        {step === undefined ? 'Use the arrow keys to move through the graph' : stepText(step)}
      </button>
      <output className="unseen">{step !== undefined && stepText(step)}</output>
    </>
  );
}

const stepText = ({ title, sign, by, waits }: StepView): string => [title, sign.word, by, waits].filter((part) => part !== undefined && part !== '').join(', ');
