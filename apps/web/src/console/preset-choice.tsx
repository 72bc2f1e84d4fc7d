import type { PresetName } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { ChoiceList } from '../portal/components/choice-list.tsx';
import styles from './preset-choice.module.css';
import { platforms } from './preset-platforms.ts';

/** The kinds of apps that a developer can register by three answers. */
export const offeredPresets = [
  'web',
  'spa',
  'native',
  'device',
  'alexa',
  'google-home',
  'home-assistant',
  'machine',
] as const satisfies readonly PresetName[];
export type OfferedPreset = (typeof offeredPresets)[number];

interface PresetChoiceProps {
  value: OfferedPreset;
  onChange: (preset: OfferedPreset) => void;
}

/** What the app is: each kind in one sentence, with its platforms. */
export const PresetChoice = ({ value, onChange }: PresetChoiceProps) => {
  const { t } = useTranslation('developers');
  return (
    <ChoiceList
      name="preset"
      legend={t('newClient.kind')}
      wide
      choices={offeredPresets.map((preset) => ({
        value: preset,
        label: (
          <span className={styles.words}>
            <span className={styles.name}>{t(`presets.${preset}.name`)}</span>
            <span>{t(`presets.${preset}.text`)}</span>
            <span className={styles.platforms} translate="no">
              {platforms[preset]}
            </span>
          </span>
        ),
      }))}
      value={value}
      onChange={onChange}
    />
  );
};
