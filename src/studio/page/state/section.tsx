import type { ComponentChildren, JSX } from 'preact';

/** A part of a pane under its title, with how many there are. */
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
