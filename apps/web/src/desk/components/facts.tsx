import { Fragment, type ReactNode } from 'react';
import styles from './facts.module.css';

/** Facts, each with its label. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={styles.facts}>
    {facts.map(([label, fact]) => (
      <Fragment key={label}>
        <dt className={styles.label}>{label}</dt>
        <dd className={styles.fact}>{fact}</dd>
      </Fragment>
    ))}
  </dl>
);
