import type { RegisteredClient } from '@candela/contract';
import { faultOfShownUri } from '@candela/contract/rules/client-uri';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import card from '../../portal/components/card.module.css';
import { boot } from '../../shell/boot.ts';
import { AsCommand } from '../as-command.tsx';
import { apiPathOf, settingsOf } from '../commands.ts';
import { draftOfLinks, type LinksDraft, linkFields, patchOfLinks } from '../links-draft.ts';
import { idOf, RegistrationForm } from '../registration-form.tsx';
import { Section } from '../section.tsx';
import { TextField } from '../text-field.tsx';
import { useClientUpdate } from '../use-client-update.ts';
import { useRegistration } from '../use-registration.ts';
import { isVouchedFor } from '../vouched-for.ts';
import styles from './addresses.module.css';

const labels = {
  client_name: 'client.links.name',
  client_uri: 'client.links.site',
  policy_uri: 'client.links.policy',
  tos_uri: 'client.links.terms',
  logo_uri: 'client.links.logo',
} as const;

interface LinksProps {
  client: RegisteredClient;
  /** What is typed and not saved; undefined: nothing. */
  edited: LinksDraft | undefined;
  onEdit: (edited: LinksDraft | undefined) => void;
}

/** The name, the links and the logo of the client. */
export const Links = ({ client, edited, onEdit }: LinksProps) => {
  const { t } = useTranslation('developers');
  const prefix = useId();
  const draft = edited ?? draftOfLinks(client);
  const patch = patchOfLinks(draft);
  const update = useClientUpdate(client, () => document.getElementById(idOf(prefix, 'client_name'))?.focus());
  const form = useRegistration(linkFields, async () => {
    await update(patch);
    onEdit(undefined);
  });
  const check = (field: keyof LinksDraft) => {
    const typed = draft[field].trim();
    if (field === 'client_name') {
      return form.mark(field, typed ? undefined : { code: 'client_name_blank' });
    }
    const fault = typed ? faultOfShownUri(typed) : undefined;
    form.mark(field, fault && { code: fault[0] });
  };
  return (
    <Section
      name="links"
      {...(client.first_party && { text: t('client.own', { brand: boot.brand.name }) })}
      {...(isVouchedFor(client) && { text: t('client.verified', { brand: boot.brand.name }) })}
    >
      <div className={`${card.card} ${styles.card}`}>
        <RegistrationForm
          form={form}
          prefix={prefix}
          edited={edited !== undefined}
          locked={client.first_party}
          action={t('settings.save')}
          onSubmit={() => void form.run()}
        >
          {linkFields.map((field) => (
            <TextField
              key={field}
              id={idOf(prefix, field)}
              label={t(labels[field])}
              hint={field === 'logo_uri' ? t('client.links.logoHint') : undefined}
              {...(field !== 'client_name' && { type: 'url', placeholder: 'https://' })}
              problem={form.problems[field]}
              value={draft[field]}
              maxLength={2000}
              onChange={(value) => onEdit({ ...draft, [field]: value })}
              onLeave={() => check(field)}
            />
          ))}
        </RegistrationForm>
        <AsCommand
          what={t('client.sections.links')}
          words={['update', client.client_id, ...settingsOf(patch)]}
          request={{ method: 'PATCH', path: apiPathOf(client.client_id), body: patch }}
        />
      </div>
    </Section>
  );
};
