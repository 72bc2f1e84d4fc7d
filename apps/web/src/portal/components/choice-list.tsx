import type { ReactNode } from 'react';
import choiceBox from '../../flow/components/choice.module.css';
import styles from './choice-list.module.css';

interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
  lang?: string;
}

interface ChoiceListProps<Value extends string> {
  /** The `name` that the radio buttons of the group share. */
  name: string;
  legend: string;
  /** Hides the legend, because a title on screen says the same. */
  quiet?: boolean;
  /** Two columns where there is room, below a legend that is a heading: for labels of several lines. */
  wide?: boolean;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A group of radio buttons, each with its label on a row. */
export const ChoiceList = <Value extends string>(props: ChoiceListProps<Value>) => {
  const { name, legend, quiet = false, wide = false, choices, value, onChange } = props;
  return (
    <fieldset className={wide ? `${styles.choices} ${styles.wide}` : styles.choices}>
      <legend className={quiet ? 'visually-hidden' : styles.legend}>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            className={`${choiceBox.box} ${styles.radio}`}
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span lang={choice.lang}>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
};
