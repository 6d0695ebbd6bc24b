import type { JSX } from 'preact';
import type { ProblemShown } from '../../protocol/flow-news.ts';
import { about, flowNews } from '../model/studio.ts';
import { openAt, selectNode } from '../model/view.ts';
import { applyFix } from '../editor/files.ts';
import { checkedProblems } from './checked.ts';

/** The problems of `roomflow check` while typing. A click opens the line. */
export function ProblemsPane(): JSX.Element {
  const news = flowNews.value;
  if (news === null) return <p class="empty">This studio shows stored conversations. It has no file to check.</p>;
  const typed = checkedProblems.value;
  const problems = typed?.problems ?? news.problems;
  const pretended = about.value?.pretended ?? [];
  return (
    <div class="problems-pane">
      <p class="dim" role="status">
        {typed === null ? summary(problems) : `${summary(problems)} In the text that is not saved yet.`}
      </p>
      {!news.isSound && (
        <p class="banner">
          The file cannot run as it is. The graph and open conversations stay in its last valid version.
        </p>
      )}
      <ul class="problems">
        {problems.map((problem) => (
          <Problem key={`${problem.code} ${problem.file} ${problem.line} ${problem.path}`} problem={problem} />
        ))}
      </ul>
      {pretended.length > 0 && (
        <section>
          <h2>Pretended</h2>
          <p class="dim">These functions have no code yet. Their results are made up:</p>
          <p>{pretended.map((name) => [<code key={name}>{name}</code>, ' '])}</p>
        </section>
      )}
    </div>
  );
}

function Problem({ problem }: { readonly problem: ProblemShown }): JSX.Element {
  const { code, severity, message, hint, file, line, column, node, frame, fixes } = problem;
  return (
    <li class={severity}>
      <p class="problem-head">
        <span class={`severity ${severity}`}>{severity}</span>
        <code class="dim">{code}</code>
        {line !== null && (
          <button type="button" class="link" onClick={() => openAt({ file, from: line, to: line }, column ?? 1)}>
            {`${file}:${line}`}
          </button>
        )}
        {node !== null && (
          <button type="button" class="link" onClick={() => selectNode(node)}>
            {node}
          </button>
        )}
      </p>
      <p>{message}</p>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {about.value?.may.edit === true &&
        fixes.map((fix) => (
          <button key={fix.title} type="button" class="small" onClick={() => void applyFix(file, fix)}>
            {fix.title}
          </button>
        ))}
      {frame !== undefined && <pre tabIndex={0}>{frame}</pre>}
    </li>
  );
}

function summary(problems: readonly ProblemShown[]): string {
  const count = (severity: ProblemShown['severity']): number =>
    problems.filter((problem) => problem.severity === severity).length;
  const parts = [
    [count('error'), 'error'],
    [count('warning'), 'warning'],
    [count('note'), 'note'],
  ] as const;
  const named = parts.filter(([times]) => times > 0).map(([times, name]) => `${times} ${name}${times > 1 ? 's' : ''}`);
  return named.length === 0 ? 'No problems.' : `${named.join(', ')}.`;
}
