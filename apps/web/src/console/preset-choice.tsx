import { type PresetName, platformPresets } from '@candela/contract/rules/client-presets';
import { useTranslation } from 'react-i18next';
import { ChoiceList } from '../portal/components/choice-list.tsx';
import styles from './preset-choice.module.css';
import { runtimes } from './preset-runtimes.ts';

const kinds = ['web', 'spa', 'native', 'device', 'machine'] as const satisfies readonly PresetName[];

/** The presets that a developer can register by three answers. */
export const offeredPresets = [...kinds, ...platformPresets] as const;
export type OfferedPreset = (typeof offeredPresets)[number];

interface PresetChoiceProps {
  value: OfferedPreset;
  onChange: (preset: OfferedPreset) => void;
}

/** What the app is: a kind of app, in one sentence with what it runs on, or a platform that homes are linked to. */
export const PresetChoice = ({ value, onChange }: PresetChoiceProps) => {
  const { t } = useTranslation('developers');
  const groups = [
    [t('newClient.kind'), kinds],
    [t('newClient.platform'), platformPresets],
  ] as const;
  return groups.map(([legend, presets]) => (
    <ChoiceList<OfferedPreset>
      key={legend}
      name="preset"
      legend={legend}
      wide
      choices={presets.map((preset) => ({
        value: preset,
        label: (
          <span className={styles.words}>
            <span className={styles.name}>{t(`presets.${preset}.name`)}</span>
            <span>{t(`presets.${preset}.text`)}</span>
            {preset in runtimes && (
              <span className={styles.runtimes} translate="no">
                {runtimes[preset]}
              </span>
            )}
          </span>
        ),
      }))}
      value={value}
      onChange={onChange}
    />
  ));
};
