"""Facts for the demonstration sentences: Spanish words on health that go together, nouns with articles.

A row is one record; columns stand between `|`, alternatives between commas, `-` leaves a column out.
`el/la` marks a feminine noun that takes the article `el`.
"""

Record = dict[str, tuple[str, ...]]


def _table(columns: str, text: str) -> list[Record]:
    rows: list[str] = []
    for line in text.strip().splitlines():
        if line.startswith(" "):
            rows[-1] += line
        else:
            rows.append(line)
    return [_record(columns.split(), row) for row in rows]


def _record(columns: list[str], row: str) -> Record:
    cells = [cell.strip() for cell in row.split("|")]
    if len(cells) != len(columns):
        raise ValueError(f"{len(columns)} columns expected: {row}")
    return {
        column: tuple(value.strip() for value in cell.split(","))
        for column, cell in zip(columns, cells, strict=True)
        if cell != "-"
    }


# Slots that fit any sentence.
COMMON: Record = {
    "age": ("30 años", "40 años", "50 años", "60 años", "65 años", "70 años"),
    "childage": ("dos años", "cinco años", "seis años", "doce años"),
    "duration": ("dos semanas", "tres meses", "una semana", "un mes", "diez días", "48 horas", "cinco días"),
    "period": ("el embarazo", "la infancia", "la adolescencia", "la juventud", "la edad adulta"),
    "stage": ("la infancia", "la adolescencia", "la juventud"),
    "zone": ("las zonas urbanas", "las zonas rurales", "los climas fríos", "los países cálidos"),
    "site": ("el hospital", "la clínica", "el centro de salud", "el consultorio"),
}

RECORDS: dict[str, list[Record]] = {
    "disease": _table(
        "disease synonym kind trait organ symptom cause treatment test people complication",
        """
el/la asma | - | la enfermedad | crónica | los bronquios | la tos, la falta de aire, los silbidos
  | el polen, el humo del tabaco | los inhaladores | la espirometría | los niños
  | la insuficiencia respiratoria
la diabetes tipo 2 | - | la enfermedad | crónica | el páncreas | la sed, el cansancio, la visión borrosa
  | la obesidad, el sedentarismo | la metformina | el análisis de sangre | los adultos | la ceguera
la hipertensión | la presión arterial alta | el trastorno | frecuente | las arterias
  | el dolor de cabeza, los mareos, el zumbido de oídos | el exceso de sal, el estrés | los diuréticos
  | la toma de presión | los adultos | el infarto
la gripe | la influenza | la infección | contagiosa | los pulmones | la fiebre, la tos, los dolores musculares
  | los virus | el reposo | el hisopado nasal | los ancianos | la neumonía
la anemia | - | el trastorno | común | la sangre | el cansancio, la palidez, los mareos
  | la falta de hierro, el sangrado | los suplementos de hierro | el hemograma | las embarazadas
  | el parto prematuro
la artritis reumatoide | - | la enfermedad | autoinmune | las articulaciones
  | la rigidez, la hinchazón, el dolor articular | los factores genéticos, el tabaquismo
  | los antiinflamatorios | la radiografía | las mujeres | la deformidad
la osteoporosis | - | la enfermedad | silenciosa | los huesos | el dolor de espalda, la pérdida de estatura
  | la falta de calcio, la menopausia | los suplementos de calcio | la densitometría ósea | las mujeres
  | las fracturas
la migraña | la jaqueca | el trastorno | hereditario | el cerebro
  | las náuseas, el dolor de cabeza, la sensibilidad a la luz | el estrés, la falta de sueño
  | los analgésicos | la resonancia magnética | las mujeres | la depresión
la gastritis | - | la inflamación | aguda | el estómago | la acidez, las náuseas, el ardor
  | el alcohol, los antiinflamatorios | los antiácidos | la endoscopia | los adultos | la úlcera
la hepatitis B | - | la infección | grave | el hígado | la ictericia, el cansancio, la orina oscura
  | los virus | los antivirales | el análisis de sangre | los recién nacidos | la cirrosis
la neumonía | la pulmonía | la infección | grave | los pulmones | la fiebre, el dolor de pecho, la tos
  | las bacterias, los virus | los antibióticos | la radiografía de tórax | los ancianos | la sepsis
la psoriasis | - | la enfermedad | inflamatoria | la piel | las placas rojas, la picazón, la descamación
  | el estrés, las infecciones | las cremas | la biopsia | los adultos | la artritis
la conjuntivitis | - | la inflamación | contagiosa | los ojos | el enrojecimiento, el lagrimeo, la picazón
  | las bacterias, el polen | los colirios | el examen de la vista | los niños | la queratitis
la otitis | la infección de oído | la infección | frecuente | el oído | el dolor, la fiebre, la irritabilidad
  | las bacterias, los virus | los antibióticos | la otoscopia | los bebés | la pérdida de audición
la cistitis | - | la infección | recurrente | la vejiga | el ardor al orinar, la orina turbia
  | las bacterias | los antibióticos | el análisis de orina | las mujeres | la infección renal
la celiaquía | la enfermedad celíaca | la enfermedad | autoinmune | el intestino delgado
  | la diarrea, la pérdida de peso, la distensión abdominal | el gluten | la dieta sin gluten
  | la biopsia | los niños | la desnutrición
la insuficiencia renal | - | el trastorno | progresivo | los riñones | la hinchazón, la fatiga, los calambres
  | la diabetes, la hipertensión | la diálisis | el análisis de orina | los adultos | la anemia
el hipotiroidismo | la tiroides hipoactiva | el trastorno | hormonal | la tiroides
  | el aumento de peso, la piel seca, el cansancio | la falta de yodo | la levotiroxina
  | el análisis de sangre | las mujeres | el bocio
el párkinson | la enfermedad de Parkinson | el trastorno | neurológico | el cerebro
  | los temblores, la rigidez, la lentitud | la pérdida de neuronas | la levodopa
  | la resonancia magnética | los ancianos | las caídas
el melanoma | - | el cáncer | agresivo | la piel | los lunares irregulares, la picazón
  | los rayos ultravioleta, las quemaduras solares | la cirugía | la biopsia | los adultos | la metástasis
la leucemia | el cáncer de la sangre | el cáncer | agresivo | la médula ósea
  | la fiebre, los moretones, el cansancio | la radiación | la quimioterapia | la biopsia de médula
  | los niños | las hemorragias
la varicela | - | la infección | contagiosa | la piel | las ampollas, la picazón, la fiebre
  | los virus | los antihistamínicos | el examen físico | los niños | la encefalitis
la apendicitis | - | la inflamación | dolorosa | el apéndice | el dolor abdominal, las náuseas, la fiebre
  | la obstrucción | la cirugía | la ecografía | los adolescentes | la peritonitis
las cataratas | - | el trastorno | visual | el cristalino | la visión borrosa, el deslumbramiento
  | el envejecimiento, la diabetes | la cirugía | el examen de la vista | los ancianos | la ceguera
los cálculos renales | las piedras en el riñón | el trastorno | doloroso | los riñones
  | el dolor lumbar, la sangre en la orina, los vómitos | la deshidratación | los analgésicos
  | la ecografía | los hombres | la infección urinaria
la sinusitis | - | la inflamación | frecuente | los senos paranasales | la congestión nasal, el dolor facial
  | los resfriados, las alergias | los descongestionantes | la tomografía | los adultos | la meningitis
la bronquitis | - | la inflamación | aguda | los bronquios | la tos, las flemas, la fiebre
  | el tabaquismo, los virus | los broncodilatadores | la radiografía de tórax | los fumadores | la neumonía
la gota | - | la enfermedad | metabólica | las articulaciones | el dolor articular, el enrojecimiento
  | el ácido úrico | la colchicina | el análisis de sangre | los hombres | los cálculos renales
la epilepsia | - | el trastorno | neurológico | el cerebro | las convulsiones, los desmayos
  | las lesiones cerebrales | los anticonvulsivos | el electroencefalograma | los niños | las caídas
la tuberculosis | - | la infección | bacteriana | los pulmones
  | la tos persistente, los sudores nocturnos, la fiebre | las bacterias | los antibióticos
  | la radiografía de tórax | los adultos | la meningitis
la depresión | - | el trastorno | mental | el estado de ánimo | la tristeza, el insomnio, la apatía
  | el estrés, el aislamiento | los antidepresivos | la entrevista clínica | los adolescentes
  | el abuso de alcohol
el glaucoma | - | la enfermedad | ocular | el nervio óptico | la visión de túnel, el dolor ocular
  | la presión ocular | los colirios | la tonometría | los adultos | la ceguera
""",
    ),
    "nutrient": _table(
        "nutrient kind food body deficiency",
        """
la vitamina C | la vitamina | las naranjas, los kiwis, los pimientos | las encías, la piel | el escorbuto
la vitamina D | la vitamina | el salmón, los huevos, la leche | los huesos | el raquitismo
la vitamina A | la vitamina | las zanahorias, los mangos | los ojos, la piel | la ceguera nocturna
la vitamina B12 | la vitamina | la carne, los huevos, el pescado | el sistema nervioso | la anemia
la vitamina K | la vitamina | la col, el brócoli | los vasos sanguíneos | las hemorragias
el ácido fólico | la vitamina | las espinacas, las lentejas | el feto | la anemia megaloblástica
el calcio | el mineral | la leche, el yogur, el brócoli | los huesos, los dientes | la osteoporosis
el hierro | el mineral | las lentejas, la carne roja, las espinacas | los glóbulos rojos | la anemia
el yodo | el mineral | la sal yodada, los mariscos | la tiroides | el bocio
el potasio | el mineral | los plátanos, las papas | los músculos, el corazón | los calambres
el magnesio | el mineral | las nueces, las semillas | los músculos, los nervios | los espasmos
el zinc | el mineral | las ostras, la carne | el sistema inmunitario | la caída del cabello
la fibra | el nutriente | las frutas, las legumbres, los cereales integrales | el intestino | el estreñimiento
la proteína | el nutriente | el pollo, los huevos, los frijoles | los músculos | la debilidad muscular
el omega 3 | el nutriente | el salmón, las sardinas, las nueces | el corazón, el cerebro | la piel seca
""",
    ),
    "medicine": _table(
        "medicine class condition side",
        """
el ibuprofeno | el antiinflamatorio | el dolor, la fiebre | la acidez, las náuseas
el paracetamol | el analgésico | el dolor de cabeza, la fiebre | el daño hepático, las erupciones
la amoxicilina | el antibiótico | la otitis, la sinusitis | la diarrea, las erupciones
la metformina | el antidiabético | la diabetes tipo 2 | la diarrea, las náuseas
la insulina | la hormona | la diabetes | la hipoglucemia, el aumento de peso
la loratadina | el antihistamínico | la alergia, la urticaria | la somnolencia, la sequedad de boca
el omeprazol | el protector gástrico | el reflujo, la úlcera | el dolor de cabeza, los gases
el salbutamol | el broncodilatador | el/la asma, la bronquitis | los temblores, las palpitaciones
la warfarina | el anticoagulante | la trombosis, la embolia | las hemorragias, los moretones
la aspirina | el analgésico | el dolor, la fiebre | las hemorragias, el ardor de estómago
la furosemida | el diurético | la hipertensión, la retención de líquidos | la deshidratación, los calambres
la prednisona | el corticosteroide | la alergia, el lupus | el aumento de peso, el insomnio
la fluoxetina | el antidepresivo | la depresión, la ansiedad | el insomnio, las náuseas
la levotiroxina | la hormona | el hipotiroidismo | las palpitaciones, la pérdida de peso
la morfina | el opioide | el dolor intenso | la somnolencia, el estreñimiento
el aciclovir | el antiviral | el herpes, la varicela | las náuseas, los mareos
""",
    ),
    "organ": _table(
        "organ system verb object part place",
        """
el corazón | el sistema circulatorio | bombea | la sangre | los ventrículos | el tórax
los pulmones | el aparato respiratorio | absorben | el oxígeno | los alvéolos | el tórax
los riñones | el sistema urinario | filtran | la sangre | las nefronas | la zona lumbar
el hígado | el aparato digestivo | produce | la bilis | los hepatocitos | el abdomen
el páncreas | el sistema endocrino | segrega | la insulina | los islotes | el abdomen
el estómago | el aparato digestivo | digiere | los alimentos | las glándulas gástricas | el abdomen
la tiroides | el sistema endocrino | regula | el metabolismo | los folículos | el cuello
el cerebro | el sistema nervioso | controla | los movimientos | las neuronas | el cráneo
la vejiga | el sistema urinario | almacena | la orina | los esfínteres | la pelvis
el intestino delgado | el aparato digestivo | absorbe | los nutrientes | las vellosidades | el abdomen
el bazo | el sistema linfático | elimina | los glóbulos rojos viejos | los linfocitos | el abdomen
la médula ósea | el sistema inmunitario | fabrica | las células sanguíneas | las células madre | los huesos
los ovarios | el aparato reproductor | liberan | los óvulos | los folículos | la pelvis
la vesícula biliar | el aparato digestivo | concentra | la bilis | los conductos | el abdomen
los ganglios linfáticos | el sistema inmunitario | atrapan | los gérmenes | los linfocitos | el cuello
la retina | el globo ocular | percibe | la luz | los conos | el ojo
""",
    ),
    "test": _table(
        "test body finding",
        """
la colonoscopia | el intestino grueso | los pólipos, el cáncer de colon
la mamografía | las mamas | el cáncer de mama, los quistes
la ecografía | el abdomen | los cálculos, los quistes
la radiografía | los huesos | las fracturas, la artrosis
el electrocardiograma | el corazón | las arritmias, el infarto
la resonancia magnética | el cerebro | los tumores, las lesiones
la endoscopia | el esófago | las úlceras, las hernias
la espirometría | los pulmones | el/la asma, el enfisema
el hemograma | la sangre | la anemia, las infecciones
la citología | el cuello uterino | las células anormales, las infecciones
la densitometría ósea | la columna | la osteoporosis, la osteopenia
la audiometría | el oído | la sordera, la pérdida de audición
el electroencefalograma | el cerebro | la epilepsia, los trastornos del sueño
la punción lumbar | la médula espinal | la meningitis, las hemorragias
""",
    ),
    "habit": _table(
        "habit illness body",
        """
el ejercicio | la obesidad, la diabetes | el corazón, los músculos
el lavado de manos | las infecciones, la diarrea | el organismo
la lactancia materna | las alergias, la obesidad | las defensas
el cepillado dental | las caries, la gingivitis | los dientes, las encías
la dieta mediterránea | el infarto, la hipertensión | las arterias, el corazón
el protector solar | las quemaduras, el melanoma | la piel
la vacunación | el sarampión, la hepatitis B | el organismo
el sueño | el estrés, la obesidad | la memoria, el cerebro
la meditación | la ansiedad, el insomnio | la mente
la hidratación | el estreñimiento, los cálculos renales | los riñones, la piel
el casco | las lesiones cerebrales, las fracturas | la cabeza
la natación | el dolor de espalda, la rigidez | las articulaciones, los pulmones
""",
    ),
    "agent": _table(
        "agent effect organ place measure",
        """
el sol | las quemaduras, las arrugas | la piel | la playa | el protector solar
el humo del tabaco | la tos, la bronquitis | los pulmones | el hogar | la ventilación
el ruido | la sordera, los zumbidos | los oídos | el trabajo | los tapones
el plomo | la anemia, la pérdida de memoria | el cerebro | las casas antiguas | los guantes
el polvo | la rinitis, los estornudos | la nariz | el dormitorio | las mascarillas
el asbesto | el mesotelioma, la fibrosis | los pulmones | las obras | las mascarillas
los pesticidas | las náuseas, la irritación | los ojos | el campo | los guantes
el moho | las alergias, la congestión | los bronquios | las viviendas húmedas | la ventilación
la radiación | la leucemia, las quemaduras | la médula ósea | los hospitales | los delantales de plomo
el frío | la hipotermia, la congelación | los dedos | la montaña | la ropa de abrigo
el mercurio | los temblores, la pérdida de memoria | los nervios | las fábricas | los guantes
los disolventes | los mareos, la irritación | el hígado | los talleres | las mascarillas
""",
    ),
    "pair": _table(
        "head first second cause treatment people",
        """
el cáncer | de pulmón | de mama | el tabaquismo | la radioterapia | las mujeres
el cáncer | de colon | de recto | la obesidad | la quimioterapia | los hombres
las infecciones | respiratorias | urinarias | las bacterias | los antibióticos | los ancianos
las infecciones | de piel | de oído | los gérmenes | las pomadas | los niños
el dolor | de cabeza | de espalda | el estrés | los analgésicos | los adultos
el dolor | de rodilla | de cadera | la artrosis | la fisioterapia | los deportistas
las enfermedades | del corazón | de los riñones | la hipertensión | los diuréticos | los fumadores
las alergias | alimentarias | respiratorias | el sistema inmunitario | los antihistamínicos | los niños
las úlceras | de estómago | de duodeno | el alcohol | los antiácidos | los adultos
la inflamación | del hígado | de la vesícula | las grasas | la dieta blanda | los pacientes
las fracturas | de muñeca | de cadera | la osteoporosis | la cirugía | las mujeres
los trastornos | del sueño | de la memoria | la ansiedad | la psicoterapia | los ancianos
""",
    ),
}
