<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ActionTable</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open logs or a case…</source>
        <translation>打开日志或案卷…</translation>
    </message>
    <message>
        <source>Open a folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Add to what is open…</source>
        <translation>添加到已打开的内容…</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Keep as a case…</source>
        <translation>存为案卷…</translation>
    </message>
    <message>
        <source>Close what is open</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Undo what was looked at</source>
        <translation>撤销查看位置</translation>
    </message>
    <message>
        <source>Redo what was looked at</source>
        <translation>重做查看位置</translation>
    </message>
    <message>
        <source>Find a command or step…</source>
        <translation>查找命令或步骤…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Theme: as the system</source>
        <translation>主题：跟随系统</translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation>主题：浅色</translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation>主题：深色</translation>
    </message>
    <message>
        <source>&amp;Case</source>
        <translation>案卷(&amp;C)</translation>
    </message>
    <message>
        <source>Read what grew</source>
        <translation>读取新增内容</translation>
    </message>
    <message>
        <source>Follow sources that grow</source>
        <translation>跟踪增长的来源</translation>
    </message>
    <message>
        <source>&amp;Incident</source>
        <translation>事故(&amp;I)</translation>
    </message>
    <message>
        <source>Previous incident</source>
        <translation>上一起事故</translation>
    </message>
    <message>
        <source>Next incident</source>
        <translation>下一起事故</translation>
    </message>
    <message>
        <source>Previous attempt</source>
        <translation>上一次尝试</translation>
    </message>
    <message>
        <source>Next attempt</source>
        <translation>下一次尝试</translation>
    </message>
    <message>
        <source>Annotate…</source>
        <translation>批注…</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>下一个窗格</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>上一个窗格</translation>
    </message>
    <message>
        <source>Only this pane</source>
        <translation>只显示此窗格</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Keys…</source>
        <translation>按键…</translation>
    </message>
    <message>
        <source>About firstbad</source>
        <translation>关于 firstbad</translation>
    </message>
</context>
<context>
    <name>AnnotateDialog</name>
    <message>
        <source>Annotate</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>A note is a new row of the case; it can be withdrawn, never changed.</source>
        <translation>批注是案卷中的新行：可以撤回，不能修改。</translation>
    </message>
    <message>
        <source>What you know about it</source>
        <translation>你所知道的情况</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>批注</translation>
    </message>
</context>
<context>
    <name>AttemptModel</name>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>exception</source>
        <translation>异常</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>被中止</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>no steps</source>
        <translation>无步骤</translation>
    </message>
    <message>
        <source>%1, given up %2</source>
        <translation>%1，放弃 %2 步</translation>
    </message>
    <message>
        <source>attempt</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结束</translation>
    </message>
</context>
<context>
    <name>AttemptView</name>
    <message>
        <source>Attempts</source>
        <translation>尝试</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Find a command, an incident or a step</source>
        <translation>查找命令、事故或步骤</translation>
    </message>
    <message>
        <source>Go to step %1</source>
        <translation>转到第 %1 步</translation>
    </message>
</context>
<context>
    <name>Cursor</name>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>wall, UTC</source>
        <translation>时间，UTC</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>* no finite value at that step: the newest before it</source>
        <translation>* 该步没有有限值：取其之前最近的值</translation>
    </message>
</context>
<context>
    <name>CursorView</name>
    <message>
        <source>Click into the timeline, or press Home, to read exact values.</source>
        <translation>在时间线上单击或按 Home 读取精确值。</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>Glyph</name>
    <message>
        <source>Inf and NaN</source>
        <translation>Inf 与 NaN</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>committed</source>
        <translation>可恢复</translation>
    </message>
    <message>
        <source>suspect</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>quarantined</source>
        <translation>已隔离</translation>
    </message>
    <message>
        <source>fault</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>benign</source>
        <translation>无害</translation>
    </message>
</context>
<context>
    <name>Incident</name>
    <message>
        <source>Where did the first non-finite value appear?</source>
        <translation>第一个非有限值出现在哪里？</translation>
    </message>
    <message>
        <source>Did it reach a collective, the optimizer, a checkpoint?</source>
        <translation>它是否进入集合通信、优化器或检查点？</translation>
    </message>
    <message>
        <source>Did all ranks decide alike?</source>
        <translation>所有 rank 的决定是否一致？</translation>
    </message>
    <message>
        <source>Can it be reproduced?</source>
        <translation>能否复现？</translation>
    </message>
    <message>
        <source>What keeps the bad checkpoint out?</source>
        <translation>如何防止坏检查点被恢复？</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Settle:</source>
        <translation>如何确定：</translation>
    </message>
    <message>
        <source>%1 more of the same kind</source>
        <translation>另有 %1 条同类</translation>
    </message>
    <message>
        <source>What speaks for it, what against</source>
        <translation>支持与反对的证据</translation>
    </message>
    <message>
        <source>Perhaps</source>
        <translation>可能</translation>
    </message>
    <message>
        <source>see incident %1</source>
        <translation>参见事故 %1</translation>
    </message>
    <message>
        <source>Restore at or before step &lt;b&gt;%1&lt;/b&gt;</source>
        <translation>恢复到第 &lt;b&gt;%1&lt;/b&gt; 步或之前</translation>
    </message>
    <message>
        <source>newest such save: &lt;b&gt;%1&lt;/b&gt;</source>
        <translation>最近的此类保存点：&lt;b&gt;%1&lt;/b&gt;</translation>
    </message>
    <message>
        <source>attempt &lt;b&gt;%1&lt;/b&gt;</source>
        <translation>尝试 &lt;b&gt;%1&lt;/b&gt;</translation>
    </message>
    <message>
        <source>onset &lt;b&gt;%1&lt;/b&gt;</source>
        <translation>起始 &lt;b&gt;%1&lt;/b&gt;</translation>
    </message>
    <message>
        <source>peak &lt;b&gt;%1&lt;/b&gt;</source>
        <translation>峰值 &lt;b&gt;%1&lt;/b&gt;</translation>
    </message>
    <message>
        <source>recovered</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>not recovered</source>
        <translation>未恢复</translation>
    </message>
    <message>
        <source>withdrawn</source>
        <translation>已撤回</translation>
    </message>
    <message>
        <source>withdraw</source>
        <translation>撤回</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>None yet: press A to write one.</source>
        <translation>尚无：按 A 写一条。</translation>
    </message>
</context>
<context>
    <name>IncidentDelegate</name>
    <message>
        <source>hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>show</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>IncidentListView</name>
    <message>
        <source>Incidents, worst first</source>
        <translation>事故，最严重的在前</translation>
    </message>
    <message>
        <source>judging</source>
        <translation>判断中</translation>
    </message>
    <message>
        <source>%1 + %2 benign</source>
        <translation>%1 起，另有 %2 起无害</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>没有发现事故。</translation>
    </message>
    <message>
        <source>The rules saw no incident in what was read; what a log cannot show is said under its source.</source>
        <translation>规则在读到的内容中没有发现事故；日志无法显示的内容写在其来源下。</translation>
    </message>
</context>
<context>
    <name>IncidentModel</name>
    <message>
        <source>%1, %2 %3, attempt %4, from step %5: %6</source>
        <translation>%1，%2 %3，尝试 %4，自第 %5 步：%6</translation>
    </message>
    <message>
        <source>Benign: %1</source>
        <translation>无害：%1</translation>
    </message>
</context>
<context>
    <name>JobBar</name>
    <message>
        <source>Reading</source>
        <translation>读取中</translation>
    </message>
    <message>
        <source>Judging</source>
        <translation>判断中</translation>
    </message>
    <message>
        <source>Writing the case</source>
        <translation>正在写入案卷</translation>
    </message>
    <message>
        <source>Reading the source</source>
        <translation>正在读取来源</translation>
    </message>
    <message>
        <source>Cancel this job</source>
        <translation>取消此任务</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Nothing is open</source>
        <translation>未打开任何内容</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Following</source>
        <translation>跟踪中</translation>
    </message>
    <message>
        <source>no case open</source>
        <translation>未打开案卷</translation>
    </message>
    <message>
        <source>%1 (not kept)</source>
        <translation>%1（未保存）</translation>
    </message>
    <message numerus="yes">
        <source>%n note(s)</source>
        <translation><numerusform>%n 条批注</numerusform></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Go to this pane; when you are there, hide it</source>
        <translation>转到此窗格；已在其中时隐藏</translation>
    </message>
    <message>
        <source>%1: commands</source>
        <translation>%1：命令</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Annotate</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Find a command or step   Ctrl+K</source>
        <translation>查找命令或步骤   Ctrl+K</translation>
    </message>
    <message>
        <source>The note is in the case.</source>
        <translation>批注已写入案卷。</translation>
    </message>
    <message>
        <source>No incident</source>
        <translation>没有事故</translation>
    </message>
    <message numerus="yes">
        <source>%n incident(s)</source>
        <translation><numerusform>%n 起事故</numerusform></translation>
    </message>
    <message>
        <source>Incident &lt;b&gt;%1&lt;/b&gt;/%2</source>
        <translation>事故 &lt;b&gt;%1&lt;/b&gt;/%2</translation>
    </message>
    <message numerus="yes">
        <source>%n attempt(s)</source>
        <translation><numerusform>%n 次尝试</numerusform></translation>
    </message>
    <message>
        <source>to step %1</source>
        <translation>至第 %1 步</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>没有发现</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>restore at or before %1</source>
        <translation>恢复到 %1 或之前</translation>
    </message>
    <message>
        <source>New here?</source>
        <translation>第一次使用？</translation>
    </message>
    <message>
        <source>N and P walk through the incidents, the wheel zooms, a click reads exact values, Ctrl+K finds everything else.</source>
        <translation>N 和 P 在事故间移动，滚轮缩放，单击读取精确值，Ctrl+K 查找其他一切。</translation>
    </message>
    <message>
        <source>Only files and folders of this machine can be opened.</source>
        <translation>只能打开本机的文件和文件夹。</translation>
    </message>
    <message>
        <source>Open logs or a case</source>
        <translation>打开日志或案卷</translation>
    </message>
    <message>
        <source>Open a run folder or a case</source>
        <translation>打开运行文件夹或案卷</translation>
    </message>
    <message>
        <source>Add logs to what is open</source>
        <translation>向已打开的内容添加日志</translation>
    </message>
    <message>
        <source>The demo's log is not installed here.</source>
        <translation>此处没有安装演示日志。</translation>
    </message>
    <message>
        <source>It lies in resources/demo of the source tree.</source>
        <translation>它位于源代码的 resources/demo。</translation>
    </message>
    <message>
        <source>Folder of the new case</source>
        <translation>新案卷的文件夹</translation>
    </message>
    <message>
        <source>Incident %1, %2</source>
        <translation>事故 %1，%2</translation>
    </message>
    <message>
        <source>Steps %1 to %2</source>
        <translation>第 %1 至 %2 步</translation>
    </message>
    <message>
        <source>Attempt %1</source>
        <translation>尝试 %1</translation>
    </message>
    <message>
        <source>The whole case</source>
        <translation>整个案卷</translation>
    </message>
    <message>
        <source>Notes are kept in a case, and none is open.</source>
        <translation>批注保存在案卷中，目前没有打开案卷。</translation>
    </message>
    <message>
        <source>Press Ctrl+N to keep what is open as a case; then press A again.</source>
        <translation>按 Ctrl+N 将已打开的内容存为案卷，然后再按 A。</translation>
    </message>
    <message>
        <source>Incident %1: %2 at %3</source>
        <translation>事故 %1：%2，第 %3 步</translation>
    </message>
    <message>
        <source>About firstbad</source>
        <translation>关于 firstbad</translation>
    </message>
    <message>
        <source>firstbad %1
Finds where a training went non-finite.
GPL-3.0-or-later, without any warranty.</source>
        <translation>firstbad %1
找出训练从哪里开始出现非有限值。
GPL-3.0-or-later，不提供任何担保。</translation>
    </message>
</context>
<context>
    <name>QuestionView</name>
    <message>
        <source>Question %1</source>
        <translation>问题 %1</translation>
    </message>
    <message>
        <source>Open logs or a case to see what happened.</source>
        <translation>打开日志或案卷，查看发生了什么。</translation>
    </message>
    <message>
        <source>The rules are looking.</source>
        <translation>规则正在检查。</translation>
    </message>
    <message>
        <source>No incident was found in what was read.</source>
        <translation>在读到的内容中没有发现事故。</translation>
    </message>
    <message>
        <source>Choose an incident on the left, or press N for the next.</source>
        <translation>在左侧选择一起事故，或按 N 转到下一起。</translation>
    </message>
</context>
<context>
    <name>RecentDelegate</name>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>More room between rows</source>
        <translation>加大行距</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The language changes when the program starts again.</source>
        <translation>重新启动程序后语言生效。</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>设置项</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Back to the defaults</source>
        <translation>恢复默认值</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
</context>
<context>
    <name>SourceListView</name>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>SourceModel</name>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>byte %1</source>
        <translation>字节 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n part(s) skipped</source>
        <translation><numerusform>%1，跳过 %n 处</numerusform></translation>
    </message>
    <message>
        <source>source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>what</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>records</source>
        <translation>记录</translation>
    </message>
</context>
<context>
    <name>SourceTextView</name>
    <message>
        <source>Text of the source</source>
        <translation>来源文本</translation>
    </message>
    <message>
        <source>earlier lines</source>
        <translation>前面的行</translation>
    </message>
    <message>
        <source>later lines</source>
        <translation>后面的行</translation>
    </message>
    <message>
        <source>%1, around line %2</source>
        <translation>%1，第 %2 行附近</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Text logs</source>
        <translation>文本日志</translation>
    </message>
    <message>
        <source>Megatron-LM, DeepSpeed, Hugging Face, fairseq, Lightning, nanoGPT, torchtitan, any key=value or JSON lines</source>
        <translation>Megatron-LM、DeepSpeed、Hugging Face、fairseq、Lightning、nanoGPT、torchtitan，任何 key=value 或 JSON 行</translation>
    </message>
    <message>
        <source>Event files</source>
        <translation>事件文件</translation>
    </message>
    <message>
        <source>TensorBoard records, W&amp;B offline, MLflow, HDF5 tables</source>
        <translation>TensorBoard 记录、W&amp;B 离线文件、MLflow、HDF5 表</translation>
    </message>
    <message>
        <source>Chronicles</source>
        <translation>训练纪事</translation>
    </message>
    <message>
        <source>engineers' prose logs, English and Chinese</source>
        <translation>工程师的文字日志，中文和英文</translation>
    </message>
    <message>
        <source>Archives</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>.gz, .zst, .zip, rotated and rank-prefixed files</source>
        <translation>.gz、.zst、.zip、轮转文件和带 rank 前缀的文件</translation>
    </message>
    <message>
        <source>From logs, ledgers and checkpoints to the first bad step, rank, layer, op and element.</source>
        <translation>从日志、账本和检查点，找到第一个出错的步骤、rank、层、算子和元素。</translation>
    </message>
    <message>
        <source>Drop logs, a run folder or a case</source>
        <translation>拖入日志、运行文件夹或案卷</translation>
    </message>
    <message>
        <source>read as they are: nothing is written, nothing leaves this machine</source>
        <translation>原样读取：不写入任何内容，数据不离开本机</translation>
    </message>
    <message>
        <source>Open the demo</source>
        <translation>打开演示</translation>
    </message>
    <message>
        <source>The log of a small fp16 training of ours whose learning rate slips at iteration 420.</source>
        <translation>我们的一次小型 fp16 训练的日志，其学习率在第 420 次迭代时出错。</translation>
    </message>
    <message>
        <source>What can be dropped</source>
        <translation>可以拖入的内容</translation>
    </message>
    <message>
        <source>Recent cases</source>
        <translation>最近的案卷</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter recent cases</source>
        <translation>筛选最近的案卷</translation>
    </message>
    <message>
        <source>From the terminal</source>
        <translation>在终端中</translation>
    </message>
    <message>
        <source>Same core, same case, same answers.</source>
        <translation>同一核心，同一案卷，同样的答案。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>next, previous incident</source>
        <translation>下一起、上一起事故</translation>
    </message>
    <message>
        <source>fit to the incident, whole run</source>
        <translation>适合事故、整个运行</translation>
    </message>
    <message>
        <source>annotate</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>any command</source>
        <translation>任意命令</translation>
    </message>
    <message>
        <source>all keys</source>
        <translation>全部按键</translation>
    </message>
    <message>
        <source>What you open is listed here.</source>
        <translation>打开过的内容列在这里。</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>robust range</source>
        <translation>稳健范围</translation>
    </message>
    <message>
        <source>first bad %1</source>
        <translation>首个坏步 %1</translation>
    </message>
    <message>
        <source>first seen bad %1</source>
        <translation>首次见到坏值 %1</translation>
    </message>
    <message>
        <source>onset %1</source>
        <translation>起始 %1</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>grad norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>自 %1</translation>
    </message>
    <message>
        <source>given up %1 – %2</source>
        <translation>放弃 %1 – %2</translation>
    </message>
    <message>
        <source>restore this save</source>
        <translation>恢复此保存点</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>time (UTC)</source>
        <translation>时间（UTC）</translation>
    </message>
    <message>
        <source>steps since each attempt began</source>
        <translation>各次尝试开始后的步数</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>axis: step</source>
        <translation>轴：步骤</translation>
    </message>
    <message>
        <source>What the horizontal axis counts</source>
        <translation>横轴的计数单位</translation>
    </message>
    <message>
        <source>series</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Which series have a panel</source>
        <translation>显示哪些序列</translation>
    </message>
    <message>
        <source>Only this attempt and what it continues</source>
        <translation>只显示此尝试及其所继续的</translation>
    </message>
    <message>
        <source>Full value range</source>
        <translation>完整数值范围</translation>
    </message>
    <message>
        <source>Measure from the cursor</source>
        <translation>从光标处测量</translation>
    </message>
    <message>
        <source>Fit to the incident</source>
        <translation>适合事故</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>Cursor to the onset</source>
        <translation>光标移到起始步</translation>
    </message>
    <message>
        <source>Cursor to the last step</source>
        <translation>光标移到最后一步</translation>
    </message>
    <message>
        <source>Copy the values in view as CSV</source>
        <translation>将可见数值复制为 CSV</translation>
    </message>
    <message>
        <source>Copy the picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy the picture as SVG</source>
        <translation>将图片复制为 SVG</translation>
    </message>
    <message>
        <source>axis: %1</source>
        <translation>轴：%1</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>读取中</translation>
    </message>
    <message>
        <source>no series yet</source>
        <translation>尚无序列</translation>
    </message>
    <message>
        <source>attempt %1</source>
        <translation>尝试 %1</translation>
    </message>
    <message>
        <source> · steps %1 – %2</source>
        <translation> · 第 %1 – %2 步</translation>
    </message>
    <message>
        <source> · every point drawn</source>
        <translation> · 每个点都已画出</translation>
    </message>
</context>
<context>
    <name>ViewEntry</name>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Incidents</source>
        <translation>事故</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Source text</source>
        <translation>来源文本</translation>
    </message>
    <message>
        <source>Incident</source>
        <translation>事故</translation>
    </message>
    <message>
        <source>Cursor</source>
        <translation>光标</translation>
    </message>
</context>
<context>
    <name>Workspace</name>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 等 %2 项</translation>
    </message>
    <message>
        <source>Notes are kept in a case, and none is open.</source>
        <translation>批注保存在案卷中，目前没有打开案卷。</translation>
    </message>
    <message>
        <source>Keep what is open as a case first: File &gt; Keep as a case.</source>
        <translation>请先将已打开的内容存为案卷：文件 &gt; 存为案卷。</translation>
    </message>
</context>
</TS>
