import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { NodeTests } from '../../protocol/flow-news.ts';
import { api } from '../client/api.ts';
import { about, flowNews } from '../model/studio.ts';
import { openAt } from '../model/view.ts';

/** The last answer, also while the tests are played again. */
const told = signal<NodeTests | null>(null);

/** The tests that reach a node of the flow on disk. They are played on demand and again after a save. */
export function Tests({ node }: { readonly node: string }): JSX.Element | null {
  const mayEdit = about.value?.may.edit === true;
  const news = flowNews.value;
  useEffect(() => {
    if (!mayEdit || news?.isSound !== true) return;
    api.nodeTests().then(
      (tests) => {
        told.value = tests;
      },
      () => undefined,
    );
  }, [mayEdit, news]);
  if (!mayEdit) return null;
  const tests = told.value?.nodes[node] ?? [];
  return (
    <section>
      <h2>Tests {tests.length > 0 && <span class="count">{tests.length}</span>}</h2>
      {tests.length === 0 ? (
        <p class="dim">
          {told.value === null ? 'Running the tests of this flow…' : (told.value.why ?? 'No test reaches this node.')}
        </p>
      ) : (
        <ul class="rows">
          {tests.map(({ name, file, line, passes }) => (
            <li key={`${file} ${name}`}>
              <button type="button" class="link" onClick={() => openAt({ file, from: line ?? 1, to: line ?? 1 })}>
                {name}
              </button>
              {!passes && <span class="tag error">fails</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
