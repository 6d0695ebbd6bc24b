import type { JSX } from 'preact';
import { shownSteps } from '../model/session.ts';
import { selectNode, shownFlow } from '../model/view.ts';
import { travelledIn } from './travelled.ts';

/** The nodes of the flow in file order: the replacement of the picture on a narrow screen. */
export function NodeList(): JSX.Element | null {
  const flow = shownFlow.value;
  if (flow === null) return null;
  const { here, been, taken } = travelledIn(flow, shownSteps.value);
  return (
    <ol class="node-list" aria-label="Nodes">
      {flow.nodes.map(({ id, kind, detail }) => {
        const ways = flow.arrows.filter(({ from, to }) => from === id && to !== '$return');
        const place = here === id ? 'here' : been.has(id) ? 'been' : '';
        return (
          <li key={id} class={`${kind} ${place}`}>
            <button type="button" onClick={() => selectNode(id)} aria-current={here === id ? 'step' : undefined}>
              <span class="name">{id}</span>
              {place !== '' && <span class="tag">{place === 'here' ? 'now' : 'been'}</span>}
              <span class="detail">{detail}</span>
            </button>
            {here === id && ways.length > 0 && (
              <ul class="ways" aria-label="Ways on">
                {ways.map(({ id: way, label, to }) => (
                  <li key={way}>
                    <span class="dim">{label === '' ? 'otherwise' : label}</span>
                    {` → ${to}`}
                    {taken.has(way) && <span class="tag">{`${taken.get(way)}×`}</span>}
                  </li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ol>
  );
}
