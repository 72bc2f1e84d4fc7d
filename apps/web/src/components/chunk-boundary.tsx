import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isReloading } from '../lost-chunk.ts';
import { Button } from './button.tsx';
import styles from './chunk-boundary.module.css';

interface ChunkBoundaryProps {
  /** Another value gives the children a new chance. */
  resetKey?: string;
  children: ReactNode;
}

const isChunkError = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|importing a module|preload CSS/i.test(error.message);

/** Stands for what could not be drawn: a part of the application that is gone from the server, or a fault of ours. */
export class ChunkBoundary extends Component<ChunkBoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(previous: ChunkBoundaryProps) {
    if (this.state.error !== undefined && previous.resetKey !== this.props.resetKey) {
      this.setState({ error: undefined });
    }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    if (isReloading()) return null;
    return <ReloadNotice outdated={isChunkError(this.state.error)} />;
  }
}

const ReloadNotice = ({ outdated }: { outdated: boolean }) => {
  const { t } = useTranslation();
  return (
    <div className={styles.notice} role="alert">
      <p className={styles.title}>{outdated ? t('app.newVersionTitle') : t('app.brokenTitle')}</p>
      <p>{outdated ? t('app.newVersionText') : t('app.brokenText')}</p>
      <Button onClick={() => location.reload()}>{t('app.reload')}</Button>
    </div>
  );
};
