<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>JobBar</name>
    <message numerus="yes">
        <source>%n note(s)</source>
        <translation><numerusform>%n note</numerusform><numerusform>%n notes</numerusform></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%n incident(s)</source>
        <translation><numerusform>%n incident</numerusform><numerusform>%n incidents</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n attempt(s)</source>
        <translation><numerusform>%n attempt</numerusform><numerusform>%n attempts</numerusform></translation>
    </message>
</context>
<context>
    <name>SourceModel</name>
    <message numerus="yes">
        <source>%1, %n part(s) skipped</source>
        <translation><numerusform>%1, %n part skipped</numerusform><numerusform>%1, %n parts skipped</numerusform></translation>
    </message>
</context>
</TS>
