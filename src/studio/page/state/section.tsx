import type { ComponentChildren, JSX } from 'preact';

/** A titled part of a pane with a count. */
export function Section(props: {
  readonly title: string;
  readonly count: number;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { title, count, children } = props;
  return (
    <section>
      <h2>
        {title} {count > 0 && <span class="count">{count}</span>}
      </h2>
      {children}
    </section>
  );
}
