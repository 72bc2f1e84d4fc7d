import { Component, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Loss, LostPartError } from '../bring.ts';
import { reloadOnce } from '../lost-chunk.ts';
import { leaveWhenReachable, useOnReconnect } from '../state/connection.ts';
import { Button } from './button.tsx';
import styles from './chunk-boundary.module.css';
import { forgetFailures } from './part.tsx';

interface ChunkBoundaryProps {
  /** Another value gives the children a new chance. */
  resetKey?: string;
  children: ReactNode;
}

/** Stands for what could not be drawn: a part of the application that did not come, or a fault of ours. */
export class ChunkBoundary extends Component<ChunkBoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(previous: ChunkBoundaryProps) {
    if (this.state.error !== undefined && previous.resetKey !== this.props.resetKey) this.#drawAgain();
  }

  readonly #drawAgain = () => {
    forgetFailures();
    this.setState({ error: undefined });
  };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (!(error instanceof LostPartError)) return <Notice kind="broken" onAction={reload} />;
    if (error.why === 'unreachable') return <Unreachable onRetry={this.#drawAgain} />;
    return <Lost kind={error.why} />;
  }
}

const reload = () => void leaveWhenReachable(() => location.reload());

const Unreachable = ({ onRetry }: { onRetry: () => void }) => {
  useOnReconnect(onRetry);
  return <Notice kind="unreachable" onAction={onRetry} />;
};

const Lost = ({ kind }: { kind: 'outdated' | 'broken' }) => {
  const [isReloading] = useState(reloadOnce);
  return isReloading ? null : <Notice kind={kind} onAction={reload} />;
};

const words = {
  unreachable: { text: 'errors.offline', action: 'app.retry' },
  outdated: { title: 'app.newVersionTitle', text: 'app.newVersionText', action: 'app.reload' },
  broken: { title: 'app.brokenTitle', text: 'app.brokenText', action: 'app.reload' },
} as const satisfies Record<Loss, object>;

const Notice = ({ kind, onAction }: { kind: Loss; onAction: () => void }) => {
  const { t } = useTranslation();
  const said = words[kind];
  return (
    <div className={styles.notice} role="alert">
      {'title' in said && <p className={styles.title}>{t(said.title)}</p>}
      <p>{t(said.text)}</p>
      <Button onClick={onAction}>{t(said.action)}</Button>
    </div>
  );
};
