import type { ReactNode } from 'react';
import styles from './table.module.css';

/** A column: its heading, and the cell of each row. The first column names its row. */
interface Column<Row> {
  heading: string;
  /** Shown to screen readers only, where the cells speak for themselves. */
  quiet?: boolean;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table of facts. On a narrow screen each row is a card whose cells repeat their headings. */
export const Table = <Row,>({ caption, columns, rows, keyOf }: TableProps<Row>) => (
  <table className={styles.table}>
    <caption className="visually-hidden">{caption}</caption>
    <thead>
      <tr>
        {columns.map(({ heading, quiet }) => (
          <th key={heading} scope="col">
            {quiet ? <span className="visually-hidden">{heading}</span> : heading}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)} data-row={keyOf(row)}>
          {columns.map(({ heading, quiet, cell }, index) => {
            const label = quiet ? undefined : heading;
            const content = cell(row);
            // A cell without content is left out where the row is a card.
            const said = content ? <div>{content}</div> : undefined;
            return index === 0 ? (
              <th key={heading} scope="row" data-label={label}>
                {said}
              </th>
            ) : (
              <td key={heading} data-label={label}>
                {said}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  </table>
);
