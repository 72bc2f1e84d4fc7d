import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Loss, LostPartError } from '../bring.ts';
import { Button } from '../components/button.tsx';
import { leaveWhenReachable, settle, useOnReconnect, waitFor } from '../connection/connection.ts';
import { reloadOnce } from '../lost-chunk.ts';
import styles from './chunk-boundary.module.css';

interface ChunkBoundaryProps {
  /** A new value renders the children again after a failure. */
  resetKey?: string;
  /** The children open over the page: the failure is shown at the top of the window. */
  overlay?: boolean;
  children: ReactNode;
}

/** Shows a failure in place of children that could not load or that threw while they rendered. */
export class ChunkBoundary extends Component<ChunkBoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(previous: ChunkBoundaryProps) {
    if (this.state.error !== undefined && previous.resetKey !== this.props.resetKey) this.#drawAgain();
  }

  readonly #drawAgain = () => this.setState({ error: undefined });

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const why = error instanceof LostPartError ? error.why : 'broken';
    const Place = this.props.overlay ? AtTheTop : InPlace;
    if (why === 'unreachable') return <Place why={why} onAction={this.#drawAgain} />;
    if (error instanceof LostPartError) return <Lost why={why} Place={Place} />;
    return <Place why={why} onAction={reload} />;
  }
}

interface NoticeProps {
  why: Loss;
  onAction: () => void;
}

const reload = () => void leaveWhenReachable(() => location.reload());

const Lost = ({ why, Place }: { why: Loss; Place: ComponentType<NoticeProps> }) => {
  const [isReloading] = useState(reloadOnce);
  return isReloading ? null : <Place why={why} onAction={reload} />;
};

const AtTheTop = ({ why, onAction }: NoticeProps) => {
  useEffect(() => {
    waitFor({ why, again: onAction });
    return settle;
  }, [why, onAction]);
  return null;
};

const stay = () => undefined;

const words = {
  unreachable: { text: 'errors.offline', action: 'app.retry' },
  outdated: { title: 'app.newVersionTitle', text: 'app.newVersionText', action: 'app.reload' },
  broken: { title: 'app.brokenTitle', text: 'app.brokenText', action: 'app.reload' },
} as const satisfies Record<Loss, object>;

const InPlace = ({ why, onAction }: NoticeProps) => {
  const { t } = useTranslation();
  const said = words[why];
  useOnReconnect(why === 'unreachable' ? onAction : stay);
  return (
    <div className={styles.notice} role="alert">
      {'title' in said && <p className={styles.title}>{t(said.title)}</p>}
      <p>{t(said.text)}</p>
      <Button onClick={onAction}>{t(said.action)}</Button>
    </div>
  );
};
