import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FlowShown, FunctionShown, NodeShown, SourceLines } from '../../../flow/picture/flow-shown.ts';
import { api } from '../client/api.ts';
import { shownSteps } from '../model/session.ts';
import { flowNews } from '../model/studio.ts';
import { openAt, selectedNode, selectNode, shownFlow } from '../model/view.ts';
import { travelledIn } from '../graph/travelled.ts';
import { JsonView } from '../parts/json-view.tsx';
import { Tests } from './node-tests.tsx';

/** The definition of one node and its transitions. */
export function NodePane(): JSX.Element {
  const flow = shownFlow.value;
  const id = selectedNode.value ?? shownSteps.value.at(-1)?.node ?? flow?.initial;
  const node = flow?.nodes.find((one) => one.id === id);
  if (flow === null || node === undefined) return <p class="empty">Choose a node of the graph to see its details.</p>;
  return (
    <div class="node-pane">
      <div class="pane-head">
        <h2 class="title">{node.id}</h2>
        <span class={`tag kind ${node.kind}`}>{node.type ?? node.kind}</span>
        {node.source !== null && <SourceLink source={node.source} />}
      </div>
      {node.say.length > 0 && <Texts title="Says" texts={node.say} />}
      {node.prompts.map(({ role, text, file }, index) => (
        <section key={index}>
          <h2>
            {`Prompt · ${role} `}
            {file !== null && (
              <button type="button" class="link" onClick={() => openAt({ file, from: 1, to: 1 })}>
                {file}
              </button>
            )}
          </h2>
          <pre class="prompt" tabIndex={0}>
            {text}
          </pre>
        </section>
      ))}
      {node.collect.length > 0 && <Collected flow={flow} names={node.collect} />}
      {node.end !== null && <Texts title="Ends with" texts={[node.end]} />}
      <Ways flow={flow} node={node} />
      {node.functions.length > 0 && <Functions title="Functions" functions={node.functions} />}
      {flow.anywhere.length > 0 && node.kind !== 'end' && (
        <details>
          <summary>{`Offered anywhere (${flow.anywhere.length})`}</summary>
          <Functions title="" functions={flow.anywhere} />
        </details>
      )}
      {node.source !== null && <Source source={node.source} />}
      <Tests node={node.id} />
    </div>
  );
}

function SourceLink({ source }: { readonly source: SourceLines }): JSX.Element {
  return (
    <button type="button" class="link" onClick={() => openAt(source)}>
      {`${source.file}:${source.from}`}
    </button>
  );
}

function Texts({ title, texts }: { readonly title: string; readonly texts: readonly string[] }): JSX.Element {
  return (
    <section>
      <h2>{title}</h2>
      {texts.map((text) => (
        <p key={text} class="quote">
          {text}
        </p>
      ))}
    </section>
  );
}

function Collected({ flow, names }: { readonly flow: FlowShown; readonly names: readonly string[] }): JSX.Element {
  return (
    <section>
      <h2>Asks for</h2>
      <ul class="rows">
        {names.map((name) => {
          const slot = flow.slots.find((one) => one.name === name);
          return (
            <li key={name}>
              <code>{name}</code>
              <span class="dim small">
                {slot === undefined ? '' : ` ${slot.type}${slot.isOptional ? ', optional' : ''}`}
              </span>
              {slot !== undefined && slot.ask.length > 0 && <p class="quote">{slot.ask.join(' / ')}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Ways({ flow, node }: { readonly flow: FlowShown; readonly node: NodeShown }): JSX.Element | null {
  const ways = flow.arrows.filter(({ from }) => from === node.id);
  const { taken } = travelledIn(flow, shownSteps.value);
  if (ways.length === 0) return null;
  return (
    <section>
      <h2>Ways on</h2>
      <ul class="rows ways">
        {ways.map(({ id, kind, label, to }) => (
          <li key={id}>
            <span class={`way ${kind}`}>{label === '' ? 'otherwise' : label}</span>
            {' → '}
            {to === '$return' ? (
              <span>back</span>
            ) : (
              <button type="button" class="link" onClick={() => selectNode(to)}>
                {to}
              </button>
            )}
            {taken.has(id) && <span class="tag taken">{`taken ${taken.get(id)}×`}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Functions(props: { readonly title: string; readonly functions: readonly FunctionShown[] }): JSX.Element {
  return (
    <section>
      {props.title !== '' && <h2>{props.title}</h2>}
      <ul class="rows">
        {props.functions.map(({ name, description, parameters, write, confirms, digression }) => (
          <li key={name}>
            <code>{name}</code>
            {write && <span class="tag">write</span>}
            {confirms && <span class="tag">asks first</span>}
            {digression && <span class="tag">comes back</span>}
            <p class="dim">{description}</p>
            {Object.keys((parameters['properties'] ?? {}) as object).length > 0 && (
              <JsonView value={parameters} depth={2} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the lines of the file. Lines of an older version are not available. */
function Source({ source }: { readonly source: SourceLines }): JSX.Element | null {
  const text = useSignal<string | null>(null);
  const isCurrent = flowNews.value?.flow?.hash === shownFlow.value?.hash;
  useEffect(() => {
    text.value = null;
    if (!isCurrent) return;
    api.file(source.file).then(
      (file) => {
        text.value = file.text;
      },
      () => undefined,
    );
  }, [source.file, source.from, isCurrent]);
  if (text.value === null) return null;
  const lines = text.value.split('\n').slice(source.from - 1, source.to);
  return (
    <section>
      <h2>Source</h2>
      <pre class="source" tabIndex={0}>
        {lines.map((line, index) => (
          <span key={index} class="source-line">
            <span class="line-number" aria-hidden="true">
              {source.from + index}
            </span>
            {`${line}\n`}
          </span>
        ))}
      </pre>
    </section>
  );
}
