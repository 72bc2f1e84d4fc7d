import type { LanguageTexts } from '../texts.ts';

export const notices: LanguageTexts['notices'] = {
  greeting: '您好：',
  notice: {
    wasMe: '如果是您本人操作，请忽略此消息。',
    advice: {
      password: '如果不是您本人操作，请立即重设密码：{{link}}',
      contact:
        '如果不是您本人操作，请立即重设密码。所有设备都会退出登录，尚未生效的修改会取消，您还可以移除不属于您的手机号或邮箱：{{link}}',
      lost: '如果不是您本人操作，请用账号的其他手机号或邮箱找回账号：{{link}}',
      undo: '如果不是您本人操作，请在 72 小时内撤销，无需登录：{{link}}',
      stop: '如果不是您本人操作，请点此阻止，无需登录：{{link}}',
      passkey: '如果不是您本人操作，请立即重设密码，然后登录并在“登录方式”中移除该通行密钥：{{link}}',
      copied: '请用其他方式登录，在“登录方式”中移除带有警告的通行密钥，再添加新的：{{link}}',
      notMe: '如果不是您本人操作，请在 7 天内结束此次登录并重设密码，无需登录：{{link}}',
      keep: '如需保留账号，请在此之前登录。如果不是您本人申请，请用验证码登录或重设密码：{{link}}',
      gone: '这是关于该账号的最后一条消息。您可以随时注册新账号：{{link}}',
      export: '如果不是您本人申请，请在该页面修改密码。请在 24 小时内下载，仅可下载一次：{{link}}',
      app: '请前往查看，也可以退出：{{link}}',
      renew: '如需保留，请登录并点按“续期”：{{link}}',
      help: '如果您没有联系过客服，则无需理会：没有验证码，任何人都无法登录。如果联系过，请在该页面用验证码设置：{{link}}',
      console: '开发者页面：{{link}}',
      created: '请用发送到该邮箱的验证码登录。如果不是您本人申请，登录后可以删除该账号：{{link}}',
    },
    smsAdvice: {
      notMe: '如非本人操作，请结束登录：{{link}}',
      password: '如非本人操作，请重设密码：{{link}}',
      lost: '如非本人操作，请找回账号：{{link}}',
      undo: '如非本人操作，请撤销：{{link}}',
      stop: '如非本人操作，请阻止：{{link}}',
      passkey: '如非本人操作，请重设密码，然后移除该通行密钥：{{link}}',
      copied: '请移除它并添加新的：{{link}}',
      keep: '保留账号请登录：{{link}}',
      gone: '注册新账号：{{link}}',
      export: '请在 24 小时内下载：{{link}}',
      app: '查看：{{link}}',
      renew: '续期：{{link}}',
      help: '设置新密码：{{link}}',
      console: '{{link}}',
      created: '请用验证码登录：{{link}}',
    },
    password_changed: {
      subject: '您的 {{brand}} 密码已修改',
      sms: '【{{brand}}】您的密码已修改。{{advice}}',
      email: '您的 {{brand}} 账号密码已于 {{time}}修改，其他设备均已退出登录。',
    },
    totp_added: {
      subject: '您的 {{brand}} 账号已开启第二步验证',
      sms: '【{{brand}}】您的账号已开启验证器应用的第二步验证。{{advice}}',
      email:
        '自 {{time}}起，登录您的 {{brand}} 账号还需要输入验证器应用中的验证码。其他所有设备均已退出登录。',
    },
    totp_removed: {
      subject: '您的 {{brand}} 账号已关闭第二步验证',
      sms: '【{{brand}}】您的账号已关闭验证器应用的第二步验证。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}关闭第二步验证，登录时不再需要验证器应用中的验证码。',
    },
    recovery_codes_made: {
      subject: '您的 {{brand}} 账号已生成新的恢复码',
      sms: '【{{brand}}】已生成新的恢复码，原有恢复码已失效。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}生成新的恢复码，原有恢复码已失效。',
    },
    recovery_codes_undone: {
      subject: '您的 {{brand}} 账号的新恢复码已撤销',
      sms: '【{{brand}}】您账号的新恢复码已撤销。{{advice}}',
      email:
        '您的 {{brand}} 账号的新恢复码已于 {{time}}撤销，所有设备均已退出登录。请在“登录方式”中重新生成。',
    },
    recovery_code_used: {
      subject: '您的 {{brand}} 账号使用了一个恢复码',
      sms: '【{{brand}}】您的账号使用了一个恢复码。{{advice}}',
      email: '您的 {{brand}} 账号于 {{time}}使用了一个恢复码代替验证器应用，该恢复码不能再次使用。',
    },
    recovery_wait_started: {
      subject: '有人申请跳过第二步验证进入您的 {{brand}} 账号',
      sms: '【{{brand}}】有人使用 {{contact}} 申请跳过第二步验证进入您的账号。{{advice}}',
      email:
        '{{time}}，能够读取 {{contact}} 消息的人申请跳过第二步验证进入您的 {{brand}} 账号。如果不阻止，对方自 {{due}}起可以设置新密码。',
    },
    recovery_wait_stopped: {
      subject: '跳过第二步验证进入您的 {{brand}} 账号的申请已被阻止',
      sms: '【{{brand}}】跳过第二步验证进入您的账号的申请已被阻止。{{advice}}',
      email: '跳过第二步验证进入您的 {{brand}} 账号的申请已于 {{time}}被阻止，无法再通过该申请进入账号。',
    },
    passkey_added: {
      subject: '您的 {{brand}} 账号添加了通行密钥',
      sms: '【{{brand}}】您的账号添加了通行密钥。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}添加了通行密钥，可无需密码登录。',
    },
    passkey_removed: {
      subject: '您的 {{brand}} 账号移除了通行密钥',
      sms: '【{{brand}}】您的账号移除了通行密钥。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}移除了通行密钥。',
    },
    passkey_counter: {
      subject: '您的 {{brand}} 账号的一个通行密钥可能已被复制',
      sms: '【{{brand}}】您账号的一个通行密钥可能已被复制，使用它的登录已被拒绝。{{advice}}',
      email:
        '您的 {{brand}} 账号的一个通行密钥已于 {{time}}被拒绝：它会记录使用次数，而次数变小了，可能已被复制。',
    },
    provider_linked: {
      subject: '您的{{brand}}账号已绑定{{provider}}',
      sms: '{{brand}}：您的账号现在可以用{{provider}}登录。{{advice}}',
      email: '自{{time}}起，可以用{{provider}}登录您的{{brand}}账号。',
    },
    provider_unlinked: {
      subject: '您的{{brand}}账号已解绑{{provider}}',
      sms: '{{brand}}：您的账号不能再用{{provider}}登录。{{advice}}',
      email: '自{{time}}起，不能再用{{provider}}登录您的{{brand}}账号。',
    },
    provider_restored: {
      subject: '{{provider}}已恢复到您的{{brand}}账号',
      sms: '{{brand}}：解绑{{provider}}的操作已撤销。请用其他方式登录后重新添加。{{advice}}',
      email:
        '{{time}}，从您的{{brand}}账号解绑{{provider}}的操作已撤销，所有设备均已退出登录。请用其他方式登录并重新添加，之后才能再次用{{provider}}登录。',
    },
    provider_closed: {
      subject: '{{provider}}不能再登录您的{{brand}}账号',
      sms: '{{brand}}：{{provider}}报告您在那里的账号有问题，已停止用它登录。{{advice}}',
      email:
        '{{time}}，{{provider}}告知我们您在那里的账号可能不安全或已不存在。在您用其他方式登录并重新绑定之前，不能用它登录您的{{brand}}账号。',
    },
    provider_mail_stopped: {
      subject: '经{{provider}}转发的邮件已无法送达',
      sms: '{{brand}}：{{provider}}已停止向您转发我们的邮件，请为账号添加其他邮箱。{{advice}}',
      email:
        '{{time}}，{{provider}}告知我们，它已停止向您转发邮件。{{brand}}的消息无法通过该地址送达。请为账号添加其他邮箱，或重新开启转发。',
    },
    new_browser: {
      subject: '您的 {{brand}} 账号有新的登录',
      sms: '【{{brand}}】您的账号有新的登录：{{device}}。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}在一个新的浏览器中登录：{{device}}。',
    },
    device: {
      both: '{{os}} 上的 {{browser}}',
      unknown: '未知浏览器',
      zone: '该设备的时区为{{zone}}。',
    },
    deletion_requested: {
      subject: '您的 {{brand}} 账号即将注销',
      sms: '【{{brand}}】您的账号将于 {{time}}注销。{{advice}}',
      email:
        '您的 {{brand}} 账号将于 {{time}}注销，全部数据一并删除。所有设备均已退出登录，已关联的应用无法再访问您的账号。',
    },
    deletion_cancelled: {
      subject: '您的 {{brand}} 账号已保留',
      sms: '【{{brand}}】您的账号已保留，注销已取消。{{advice}}',
      email: '{{time}}有人登录您的 {{brand}} 账号并选择保留。账号不会注销，已关联的应用恢复使用。',
    },
    account_deleted: {
      subject: '您的 {{brand}} 账号已注销',
      sms: '【{{brand}}】您的账号已注销。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}注销，全部数据已删除，已关联的应用不再有访问权限。',
    },
    recovery_help: {
      subject: '如何重新登录您的 {{brand}} 账号',
      sms: '{{brand}}：客服向您发送了重设密码的入口。{{advice}}',
      email: '客服于 {{time}} 向您发送了 {{brand}} 账号重设密码的入口。',
    },
    developer_allowed: {
      subject: '您现在可以在{{brand}}注册应用',
      sms: '{{brand}}：您现在可以注册应用。{{advice}}',
      email: '您曾向{{brand}}申请注册应用的权限，该申请已于{{time}}通过。',
    },
    developer_refused: {
      subject: '您在{{brand}}注册应用的申请',
      sms: '{{brand}}：您注册应用的申请未获通过。{{advice}}',
      email: '您曾向{{brand}}申请注册应用的权限，该申请于{{time}}未获通过。30 天后可以再次申请。',
    },
    contact_checked: {
      subject: '{{brand}} 账号的测试消息',
      sms: '{{brand}}：客服正在检查您能否收到消息。{{advice}}',
      email: '客服于 {{time}} 检查了 {{brand}} 账号的消息能否送达此联系方式。可以送达。',
    },
    export_ready: {
      subject: '您的 {{brand}} 数据副本可以下载了',
      sms: '【{{brand}}】您的数据副本可以下载了。{{advice}}',
      email: '您的 {{brand}} 数据副本已于 {{time}}准备完成，可在账号页面下载。',
    },
    link_ends: {
      subject: '{{app}} 对您 {{brand}} 账号的授权即将到期',
      sms: '【{{brand}}】{{app}} 的授权将于 {{time}}到期。{{advice}}',
      email: '{{app}} 对您 {{brand}} 账号的授权将于 {{time}}到期。到期后即使经常使用，它也会停止工作。',
    },
    account_created: {
      subject: '您的 {{brand}} 账号已创建',
      sms: '【{{brand}}】已通过 {{app}} 为您创建账号。{{advice}}',
      email:
        '应 {{app}} 中的请求，已于 {{time}}用此邮箱创建 {{brand}} 账号，{{app}} 现在可以使用该账号。该账号尚未设置密码。',
    },
    app_shared: {
      subject: '{{brand}} 有应用与您共享',
      sms: '【{{brand}}】有开发者将您加入了应用。{{advice}}',
      email: '一位开发者于 {{time}}将您加入了 {{brand}} 的一个应用，您可以查看和修改它。',
    },
    phone_bound: {
      subject: '您的 {{brand}} 账号已绑定手机号',
      sms: '【{{brand}}】您的账号已绑定手机号 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}绑定手机号 {{contact}}。',
    },
    phone_changed: {
      subject: '您的 {{brand}} 账号手机号已修改',
      sms: '【{{brand}}】您的手机号已修改为 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 账号手机号已于 {{time}}修改为 {{contact}}。',
    },
    phone_unbound: {
      subject: '您的 {{brand}} 账号已解绑手机号',
      sms: '【{{brand}}】您的账号已解绑手机号 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}解绑手机号 {{contact}}。',
    },
    phone_change_waits: {
      subject: '您的 {{brand}} 账号手机号即将修改',
      sms: '【{{brand}}】您的手机号将在 72 小时后修改为 {{contact}}。{{advice}}',
      email: '有人于 {{time}}申请将您的 {{brand}} 账号手机号修改为 {{contact}}。此修改将在 72 小时后生效。',
    },
    phone_unbind_waits: {
      subject: '您的 {{brand}} 账号即将解绑手机号',
      sms: '【{{brand}}】手机号 {{contact}} 将在 72 小时后解绑。{{advice}}',
      email: '有人于 {{time}}申请从您的 {{brand}} 账号解绑手机号 {{contact}}。解绑将在 72 小时后生效。',
    },
    phone_kept: {
      subject: '您的 {{brand}} 账号手机号保持不变',
      sms: '【{{brand}}】一项修改已撤销，手机号仍为 {{contact}}。{{advice}}',
      email:
        '您的 {{brand}} 账号的一项修改已于 {{time}}撤销：手机号 {{contact}} 仍属于该账号，所有设备均已退出登录。',
    },
    email_bound: {
      subject: '您的 {{brand}} 账号已绑定邮箱',
      sms: '【{{brand}}】您的账号已绑定邮箱 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}绑定邮箱 {{contact}}。',
    },
    email_changed: {
      subject: '您的 {{brand}} 账号邮箱已修改',
      sms: '【{{brand}}】您的邮箱已修改为 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 账号邮箱已于 {{time}}修改为 {{contact}}。',
    },
    email_unbound: {
      subject: '您的 {{brand}} 账号已解绑邮箱',
      sms: '【{{brand}}】您的账号已解绑邮箱 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 账号已于 {{time}}解绑邮箱 {{contact}}。',
    },
    email_change_waits: {
      subject: '您的 {{brand}} 账号邮箱即将修改',
      sms: '【{{brand}}】您的邮箱将在 72 小时后修改为 {{contact}}。{{advice}}',
      email: '有人于 {{time}}申请将您的 {{brand}} 账号邮箱修改为 {{contact}}。此修改将在 72 小时后生效。',
    },
    email_unbind_waits: {
      subject: '您的 {{brand}} 账号即将解绑邮箱',
      sms: '【{{brand}}】邮箱 {{contact}} 将在 72 小时后解绑。{{advice}}',
      email: '有人于 {{time}}申请从您的 {{brand}} 账号解绑邮箱 {{contact}}。解绑将在 72 小时后生效。',
    },
    email_kept: {
      subject: '您的 {{brand}} 账号邮箱保持不变',
      sms: '【{{brand}}】一项修改已撤销，邮箱仍为 {{contact}}。{{advice}}',
      email:
        '您的 {{brand}} 账号的一项修改已于 {{time}}撤销：邮箱 {{contact}} 仍属于该账号，所有设备均已退出登录。',
    },
  },
};
