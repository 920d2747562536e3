"""Sentence templates with their annotation written into them, grouped by the kind of fact that fills them.

`{disease}` is a noun and `{symptom2}` a second symptom; `{el disease}` and `{un disease}` are articles;
`{disease:es|son}` agrees in number, `{disease:este|esta|estos|estas}` in gender too, `{disease:o}` is
the ending o, a, os or as. `<daña/irrita>` is one of the words.
`[C1 asma; is-a 2]` marks a Concept (Action, Predicate, Reference: A, P, R) of number 1 and relates it
to number 2; `[C3 verano; 2 in-time]` relates 2 to 3. A phrase marked in several places is discontinuous,
and `[C1,C2 cáncer]` belongs to two.
"""

TEMPLATES: dict[str, tuple[str, ...]] = {
    "disease": (
        "{El disease} [C1 {disease}; is-a 2] {disease:es|son} {un kind} [C2 {kind}; has-property 3] [C3 "
        "{trait}] que [A4 afecta; subject 1; target 5] a {el organ} [C5 {organ}].",
        "Los [C1 síntomas; in-context 2] de {el disease} [C2 {disease}] incluyen [C3 {symptom}; is-a 1] y "
        "[C4 {symptom2}; is-a 1].",
        "{El disease} [C1 {disease}; causes 2; causes 3] puede{disease:|n} causar [C2 {symptom}] y [C3 {symptom2}].",
        "Una de las causas de {el disease} [C1 {disease}] {cause:es|son} {el cause} [C2 {cause}; causes 1].",
        "Para [A1 diagnosticar; target 2] {el disease} [C2 {disease}], el [C3 médico] suele [A4 "
        "<solicitar/pedir/indicar>; subject 3; target 5] {un test} [C5 {test}].",
        "{El treatment} [C1 {treatment}] {treatment:ayuda|ayudan} a [A2 "
        "<controlar/tratar/combatir/frenar>; subject 1; target 3] {el disease} [C3 {disease}] en {el "
        "people} [C4 {people}; 2 in-context].",
        "Las [C1 personas] [P2 mayores; domain 1; arg 3] de [C3 {age}] tienen más [C4 riesgo; in-context "
        "5] de [A5 <padecer/sufrir/desarrollar>; subject 2; target 6] [C6 {disease}].",
        "Sin [A1 tratamiento; target 2], {el disease} [C2 {disease}; causes 3] puede{disease:|n} provocar "
        "[C3 {complication}].",
        "{El disease} [C1 {disease}; same-as 2], también conocid{disease:o} como [C2 {synonym}], [A3 "
        "{disease:daña|dañan}; subject 1; target 4] {el organ} [C4 {organ}].",
        "[R1 Quienes] [A2 <padecen/sufren>; subject 1; target 3] [C3 {disease}] suelen [A4 "
        "<presentar/tener/notar>; subject 1; target 5] [C5 {symptom}].",
        "En {el disease} [C1 {disease}], {el organ} [C2 {organ}] se [A3 {organ:altera|alteran}; target 2; "
        "in-context 1] y [R4 {organ:este|esta|estos|estas}; same-as 2] no [A5 {organ:cumple|cumplen}; "
        "subject 4; target 6] su [C6 función].",
        "{El disease} [C1 {disease}; has-property 2] {disease:es|son} más [C2 frecuente{disease:|s}; "
        "in-context 3] en {el people} [C3 {people}], sobre todo en {el zone} [C4 {zone}; 1 in-place].",
        "Durante {el period} [C1 {period}], {el disease} [C2 {disease}; in-time 1] [A3 "
        "{disease:requiere|requieren}; subject 2; target 4] [C4 <controles/exámenes>; has-property 5] [C5 "
        "<periódicos/frecuentes>].",
        "El [C1 médico] puede [A2 <recomendar/prescribir/proponer/sugerir>; subject 1; target 3] [C3 "
        "{treatment}] a los [C4 pacientes; in-context 5; 2 target] con [C5 {disease}].",
        "No siempre [A1 existe; target 2] una [A2 cura; target 3] para {el disease} [C3 {disease}], pero "
        "{el treatment} [C4 {treatment}] [A5 {treatment:alivia|alivian}; subject 4; target 6] {el "
        "symptom} [C6 {symptom}].",
        "{El cause} [C1 {cause}] y {el cause2} [C2 {cause2}] [A3 <aumentan/elevan>; subject 1; subject 2; "
        "target 4] el [C4 riesgo; in-context 5] de [C5 {disease}].",
        "{El test} [C1 {test}] permite [A2 <confirmar/descartar/precisar>; subject 1; target 3] el [A3 "
        "diagnóstico; target 4] de [C4 {disease}].",
        "La [P1 <mayoría/mitad>; domain 2] de {el people} [C2 {people}; in-context 3] con [C3 {disease}] "
        "[A4 <consulta/visita>; subject 1; target 7; in-time 5] al [C7 médico] [P5 después; arg 6] de [C6 "
        "{duration}].",
        "{El disease} [C1 {disease}] puede{disease:|n} [A2 <aparecer/manifestarse/empezar>; subject 1; "
        "in-time 3] [P3 <antes/después>; arg 4] de los [C4 {age}].",
        "{El complication} [C1 {complication}; is-a 2] {complication:es|son} una [C2 complicación; "
        "has-property 3; in-context 4] [C3 <grave/seria/rara/temible>] de {el disease} [C4 {disease}].",
        "Cuando [A1 {symptom:aparece|aparecen}; subject 2; entails 3] [C2 {symptom}], conviene [A3 "
        "<acudir/consultar/llamar>; target 4] a un [C4 <especialista/médico>].",
        "[A1 Padecer; target 2; entails 3] [C2 {disease}] implica [A3 visitar; target 4; in-context 5] al "
        "[C4 médico] con [C5 frecuencia].",
        "{El disease} [C1 {disease}; causes 2] produce{disease:|n} [A2 cambios; in-place 3] en {el organ} "
        "[C3 {organ}], como {el symptom} [C4 {symptom}; is-a 2].",
        "{El treatment} [C1 {treatment}] no siempre [A2 {treatment:elimina|eliminan}; subject 1; target "
        "3] {el disease} [C3 {disease}], aunque [A4 {treatment:reduce|reducen}; subject 1; target 5; "
        "target 6] {el symptom} [C5 {symptom}] y {el symptom2} [C6 {symptom2}].",
        "¿Cómo se [A1 trata; target 2; in-context 3] {el disease} [C2 {disease}] en {el people} [C3 {people}]?",
        "¿Qué [C1 síntomas] [A2 {disease:produce|producen}; subject 3; target 1] {el disease} [C3 {disease}]?",
        "[A1 Consulte; target 2] con su [C2 médico] si [A3 tiene; target 4; in-time 5; entails 1] [C4 "
        "{symptom}] por [P5 más; arg 6] de [C6 {duration}].",
        "La [A1 prevención; target 2] de {el disease} [C2 {disease}] [A3 empieza; subject 1; in-time 4] "
        "en {el stage} [C4 {stage}].",
        "Tanto los [C1 hombres] como las [C2 mujeres] pueden [A3 sufrir; subject 1; subject 2; target 4] "
        "[C4 {disease}], {un kind} [C5 {kind}; 4 is-a] que [A6 <empeora/avanza>; subject 4; in-context 7] "
        "con {el cause} [C7 {cause}].",
        "Además de {el symptom} [C1 {symptom}], algunos [C2 pacientes] con [C3 {disease}; causes 1; 2 "
        "in-context] [A4 refieren; subject 2; target 5] [C5 {symptom2}; 3 causes], que puede{symptom2:|n} "
        "[A6 <durar/prolongarse>; subject 5; in-time 7] [C7 {duration}].",
    ),
    "nutrient": (
        "{El nutrient} [C1 {nutrient}; is-a 2] es {un kind} [C2 {kind}; has-property 3] [C3 "
        "<esencial/necesario/indispensable>] que ayuda a [A4 <proteger/cuidar/fortalecer>; subject 1; "
        "target 5] {el body} [C5 {body}].",
        "{El food} [C1 {food}] y {el food2} [C2 {food2}] [A3 <aportan/ofrecen/suministran>; subject 1; "
        "subject 2; target 4] [C4 {nutrient}].",
        "{El food} [C1 {food}] {food:contiene|contienen} [C2 {nutrient}; part-of 1], {un kind} [C3 "
        "{kind}; 2 is-a] que [A4 <cuida/protege/beneficia>; subject 2; target 5] {el body} [C5 {body}].",
        "La [P1 falta; domain 2; causes 3] de [C2 {nutrient}] puede ocasionar [C3 {deficiency}].",
        "Las [C1 embarazadas] [A2 necesitan; subject 1; target 3; in-time 5] [P3 más; domain 4] [C4 "
        "{nutrient}] durante el primer [C5 trimestre].",
        "El [C1 cuerpo] [A2 necesita; subject 1; target 3] [C3 {nutrient}] y [R4 "
        "{nutrient:este|esta|estos|estas}; same-as 3] se [A5 encuentra; target 4; in-place 6] en {el "
        "food} [C6 {food}].",
        "{El nutrient} [C1 {nutrient}] se [A2 absorbe; target 1; in-place 3] en el [C3 intestino].",
        "Una [C1 dieta] [P2 rica; domain 1; arg 3] en [C3 {nutrient}] [A4 <previene/evita>; subject 2; "
        "target 5] {el deficiency} [C5 {deficiency}].",
        "Entre los [C1 alimentos] con [C2 {nutrient}; part-of 1] están {el food} [C3 {food}; is-a 1] y "
        "{el food2} [C4 {food2}; is-a 1].",
        "Los [C1 <adultos/jóvenes>] pueden [A2 <consumir/comer>; subject 1; target 3; in-time 4] [C3 "
        "{food}] [P4 <una vez/dos veces>; arg 5] por [C5 <semana/día>].",
        "[R1 Aquellos] que no [A2 <consumen/reciben/ingieren>; subject 1; target 3] [P3 suficiente; "
        "domain 4] [C4 {nutrient}] pueden [A5 desarrollar; subject 1; target 6] [C6 {deficiency}].",
    ),
    "medicine": (
        "{El medicine} [C1 {medicine}; is-a 2] es {un class} [C2 {class}] que se [A3 usa; target 1] para "
        "[A4 <tratar/aliviar/combatir>; subject 1; target 5] {el condition} [C5 {condition}].",
        "{El side} [C1 {side}; is-a 3] y {el side2} [C2 {side2}; is-a 3] son [C3 efectos secundarios; 4 "
        "causes] de {el medicine} [C4 {medicine}].",
        "No [A1 tome; target 2; in-context 3] [C2 {medicine}] sin [C3 receta médica] si [A4 padece; "
        "target 5] [C5 {side}].",
        "El [C1 <farmacéutico/médico/especialista>] [A2 <aconseja/recomienda/sugiere>; subject 1; target "
        "3] [A3 tomar; target 4; in-time 5] {el medicine} [C4 {medicine}] [P5 después; arg 6] de la [C6 "
        "<cena/comida>].",
        "{El medicine} [C1 {medicine}; causes 2] puede causar [C2 {side}], pero [R3 "
        "{side:este|esta|estos|estas}; same-as 2] suele{side:|n} [A4 <desaparecer/mejorar/ceder>; subject "
        "3; in-time 5] en [C5 {duration}].",
        "Una [C1 dosis; has-property 2; in-context 3] [C2 <alta/excesiva>] de [C3 {medicine}] [A4 "
        "<aumenta/eleva>; subject 1; target 5] el [C5 riesgo; in-context 6] de [C6 {side}].",
        "El [A1 uso; in-context 2; target 3; causes 4] [C2 <prolongado/excesivo/indebido>] de [C3 "
        "{medicine}] puede producir [C4 {side}].",
        "{El medicine} [C1 {medicine}] [A2 actúa; subject 1; in-context 3] con [C3 <rapidez/eficacia>] y "
        "[A4 alivia; subject 1; target 5] {el condition} [C5 {condition}].",
        "Los [C1 niños] [P2 menores; domain 1; arg 3] de [C3 {childage}] no deben [A4 tomar; subject 2; "
        "target 5; in-context 6] [C5 {medicine}] sin [C6 supervisión].",
        "Si [A1 olvida; target 2; entails 4] una [C2 dosis; in-context 3] de [C3 {medicine}], [A4 llame; "
        "target 5] a su [C5 médico].",
    ),
    "organ": (
        "{El organ} [C1 {organ}; part-of 2] {organ:forma|forman} parte de {el system} [C2 {system}] y [A3 "
        "{verb}; subject 1; target 4] {el object} [C4 {object}].",
        "{El organ} [C1 {organ}] se [A2 {organ:encuentra|encuentran}; target 1; in-place 3] en {el place} "
        "[C3 {place}].",
        "En el interior de {el organ} [C1 {organ}] se [A2 {part:halla|hallan}; target 3; in-place 1] {el "
        "part} [C3 {part}; part-of 1].",
        "Si {el organ} [C1 {organ}] no [A2 {verb}; subject 1; target 3; entails 5] bien {el object} [C3 "
        "{object}], la [C4 salud] se [A5 deteriora; target 4].",
        "{El organ} [C1 {organ}; part-of 4], que [A2 {verb}; subject 1; target 3] {el object} [C3 "
        "{object}], {organ:pertenece|pertenecen} a {el system} [C4 {system}].",
        "Las [C1 enfermedades; in-place 2] de {el organ} [C2 {organ}] pueden [A3 <dañar/afectar>; subject "
        "1; target 4] otras [C4 partes; part-of 5] de {el system} [C5 {system}].",
        "Los [C1 especialistas] [A2 <estudian/evalúan/exploran>; subject 1; target 3; in-context 4] {el "
        "organ} [C3 {organ}] mediante [C4 <imágenes/ultrasonido/análisis>].",
    ),
    "test": (
        "{El test} [C1 {test}; is-a 2] es una [C2 <prueba/técnica>] que [A3 <examina/evalúa/explora>; "
        "subject 1; target 4] {el body} [C4 {body}].",
        "{El test} [C1 {test}] permite [A2 <detectar/descubrir/reconocer>; subject 1; target 3; target 4] "
        "[C3 {finding}] y [C4 {finding2}].",
        "[P1 Antes; arg 2] de {el test} [C2 {test}], el [C3 paciente] debe [A4 informar; subject 3; "
        "target 5; in-time 1] a su [C5 médico] si [A6 toma; subject 3; target 7] [C7 medicamentos].",
        "En {el site} [C1 {site}], los [C2 médicos] [A3 realizan; subject 2; target 4; in-place 1] {un "
        "test} [C4 {test}] para [A5 <buscar/descartar>; subject 2; target 6] [C6 {finding}].",
        "Las [C1 personas; has-property 4] [P2 mayores; domain 1; arg 3] de [C3 {age}] y con [C4 "
        "{finding}] pueden [A5 necesitar; subject 2; target 6] {un test} [C6 {test}].",
        "{El test} [C1 {test}; has-property 2] es [C2 segur{test:o}] y [A3 dura; subject 1; in-time 4] "
        "[P4 menos; arg 5] de [C5 una hora].",
        "Los [C1 resultados; in-context 2] de {el test} [C2 {test}] [A3 muestran; subject 1; target 4] si "
        "hay [C4 {finding}; in-place 5] en {el body} [C5 {body}].",
    ),
    "habit": (
        "{El habit} [C1 {habit}] [A2 <previene/combate>; subject 1; target 3; target 4] {el illness} [C3 "
        "{illness}] y {el illness2} [C4 {illness2}].",
        "Los [C1 médicos] [A2 <recomiendan/promueven/aconsejan>; subject 1; target 3] {el habit} [C3 "
        "{habit}] para [A4 <proteger/cuidar/fortalecer>; subject 3; target 5] {el body} [C5 {body}].",
        "{El habit} [C1 {habit}; has-property 2] es [C2 beneficios{habit:o}; in-context 3] para {el body} [C3 {body}].",
        "La [P1 falta; domain 2] de [C2 {habit}] [A3 <favorece/agrava>; subject 1; target 4] {el illness} "
        "[C4 {illness}].",
        "Gracias a {el habit} [C1 {habit}], muchas [C2 personas] [A3 <evitan/previenen>; subject 2; "
        "target 4; in-context 1] {el illness} [C4 {illness}] cada [C5 año; 3 in-time].",
        "[C1 Niños] y [C2 adultos] se [A3 benefician; subject 1; subject 2; target 4] de {el habit} [C4 "
        "{habit}], ya que [R5 {habit:este|esta|estos|estas}; same-as 4] [A6 <fortalece/protege>; subject "
        "5; target 7] {el body} [C7 {body}].",
    ),
    "agent": (
        "La [A1 exposición; in-context 2; target 3; causes 4] [C2 <prolongada/repetida/excesiva>] a {el "
        "agent} [C3 {agent}] puede causar [C4 {effect}].",
        "En {el place} [C1 {place}], la [A2 exposición; in-place 1; target 3] a {el agent} [C3 {agent}] "
        "[A4 <daña/irrita/perjudica>; subject 2; target 5] {el organ} [C5 {organ}].",
        "[R1 Quienes] se [A2 exponen; subject 1; target 3] a {el agent} [C3 {agent}] deben [A4 "
        "<usar/emplear/buscar>; subject 1; target 5] [C5 {measure}].",
        "{El measure} [C1 {measure}] [A2 {measure:protege|protegen}; subject 1; target 3] {el organ} [C3 "
        "{organ}] de los [A4 daños; target 3] que causa{agent:|n} {el agent} [C5 {agent}; causes 4].",
    ),
    "pair": (
        "{El head} [C1,C2 {head}] [C1 {first}] y [C2 {second}] pueden deberse a {el cause} [C3 {cause}; "
        "causes 1; causes 2].",
        "{El treatment} [C1 {treatment}] se [A2 {treatment:utiliza|utilizan}; target 1; in-context 3; "
        "in-context 4] contra {el head} [C3,C4 {head}] [C3 {first}] y [C4 {second}].",
        "Una [P1 <parte/minoría>; domain 2] de {el people} [C2 {people}] [A3 sufre; subject 1; target 4; "
        "target 5] [C4,C5 {head}] [C4 {first}] y [C5 {second}].",
        "Los [C1 médicos] [A2 distinguen; subject 1; target 3; target 4] entre {el head} [C3,C4 {head}] "
        "[C3 {first}] y [C4 {second}].",
    ),
}
