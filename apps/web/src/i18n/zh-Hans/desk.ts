import type { LanguageTexts } from '../texts.ts';
import { deskAccount } from './desk-account.ts';
import { deskActs } from './desk-acts.ts';
import { deskRecord } from './desk-record.ts';
import { deskService } from './desk-service.ts';
import { deskWords } from './desk-words.ts';

type Texts = LanguageTexts['desk']['desk'];

const open: Texts['open'] = {
  title: '打开客服台',
  text: {
    mfa: '请用验证器应用或通行密钥确认是您本人。客服台开启 8 小时，30 分钟无操作即关闭。',
    phr: '请用通行密钥确认是您本人。客服台开启 8 小时，30 分钟无操作即关闭。',
  },
  action: '打开客服台',
  close: '关闭客服台',
  until: '开启至 {{when}}',
  missing: {
    mfa: '您的账号还没有第二步验证。请先添加验证器应用或通行密钥，再回到这里。',
    phr: '您的账号还没有通行密钥。请先添加，再回到这里。',
  },
  settings: '账号设置',
  goneTitle: '您已无法使用客服台',
  goneText: '您的角色已被取消，或客服台已不存在。如有疑问，请联系管理员。',
  failedTitle: '无法加载客服台',
};

const search: Texts['search'] = {
  label: '手机号、邮箱、账号、应用或错误编号',
  find: '查找',
  title: '来电者说了什么？',
  text: '任意写法的手机号、邮箱、账号 ID、错误页面上的编号，或应用的 ID 或名称。只查找完全匹配的内容，每次查找都会留下记录。',
  looksLeft_other: '本小时还可查看 {{count}} 次',
  slash: '按 / 键跳到查找框',
  nothingTitle: '没有与“{{text}}”匹配的内容',
  nothing: '请向来电者复述一遍。然后询问其他手机号或邮箱，或错误页面底部的编号。',
  several_other: '与“{{text}}”匹配的有 {{count}} 项',
  failedTitle: '查找没有成功',
  kinds: { account: '账号', client: '应用', error: '错误页面' },
  errorAt: '显示于 {{when}}',
  errorText: '应用带用户来到这里时发出的请求被拒绝。用户没有做错什么：开发者可在该应用的错误中找到此编号。',
  errorApp: '应用',
  errorWhat: '拒绝原因',
};

const errors: LanguageTexts['desk']['errors'] = {
  reason_blank: '请填写原因',
  reason_too_long: '最多 500 个字符',
  desk_closed: '客服台已关闭，请重新打开。',
  role_insufficient: '您的角色无权执行此操作',
  own_account: '这是您自己的账号，请由同事处理',
  own_approval: '这是您提出的请求，需由另一位管理员批准',
  caller_unproven: '请先核实来电者',
  contact_differs: '此账号没有这个联系方式，请向来电者复述一遍。',
  contact_too_young: '此联系方式添加不足 72 小时，请使用其他联系方式或两位数字。',
  not_there: '没有人登录此账号，无人能读出数字。请改为发送验证码。',
  digits_exhausted: '一天内两位数字已答错两次。请改为发送验证码。',
  approval_asked: '已请求另一位管理员批准',
  nothing_to_do: '无需操作：已经是这样了。页面现已更新。',
  words_changed: '其他人已修改文案。请查看后再试一次。',
  words_invalid: '文案不能这样使用',
  word_unknown: '此版本没有这条文案',
  word_blank: '请填写文案',
  word_too_long: '最多 4000 个字符',
  word_placeholder_unknown: '含有内置文案中没有的双花括号名称',
  word_placeholder_missing: '缺少内置文案中的双花括号名称',
  word_forbidden: '不能含有“$t(”',
};

export const desk: LanguageTexts['desk'] = {
  desk: {
    title: '客服台',
    of: '{{brand}} 客服台',
    pages: '客服台页面',
    roles: { viewer: '查看者', support: '客服', operator: '管理员' },
    open,
    search,
    account: deskAccount,
    acts: deskActs,
    ...deskRecord,
    ...deskService,
    ...deskWords,
  },
  errors,
};
