import { wordSet } from '../words.ts';

/** Words that end a name or show that what was said is a sentence and no name. */
export const SENTENCE_WORDS = wordSet(`
a about above across actually after afterwards again against ago ain't all almost along alright already also although always am among an and
another any anybody anymore anyone anything anyway anywhere apparently are aren't around as ask asked at away back badly basically be because
been before behind being below besides best better between beyond both briefly but by bye can can't cannot certainly clearly come could
couldn't course currently definitely did didn't do does doesn't doing don't done down during each either else enough especially even ever
every everybody everyone everything everywhere exactly except far few for from further get gets getting give given go goes going gone gonna
good goodbye got gotta great had hadn't half has hasn't have haven't having he he's her here here's hers herself hey hi him himself his
hello how how's however i i'd i'll i'm i've if in indeed instead into is isn't it it'd it'll it's its itself just kind kinda know last later
least less let let's like likely literally little lots made make makes making many maybe me mean might mine more morning most mostly much must
my myself nah near nearly need needed needs neither never next no nobody none nope nor not nothing now nowhere of off often oh ok okay on once
one only onto or other others otherwise ought our ours ourselves out over own pardon particular per perhaps please possibly pretty probably
quite rather ready really right said same saw say saying says see seem seems seen several shall she she's should shouldn't since so some
somebody someone something sometimes somewhere soon sorry sort speak still such sure take taken takes taking tell thank thanks that that'll
that's the their theirs them themselves then there there's therefore these they they'd they'll they're they've thing things think this those
though through thus till to today together told tomorrow tonight too toward towards tried try trying twice two under unfortunately unless
unlike until up upon us use used usually various very wait waiting want wanted wants was wasn't way we we'd we'll we're we've well went were
weren't what what's whatever when whenever where where's whether which while who who's whoever whole whom whose why with within without won't
would wouldn't wow yeah yep yes yesterday yet you you'd you'll you're you've your yours yourself yup zero three four five six seven eight nine
ten eleven twelve thirteen fourteen fifteen sixteen twenty thirty hundred thousand first second third monday tuesday wednesday thursday friday
saturday sunday january february march october november december afternoon evening night day week month year hour minute moment sec speaking
calling dunno gimme wanna lemme guess uh-huh mhm huh cool awesome perfect correct wrong true false absolutely exactly nope spelled spelling spell
repeat pass skip stop put comma forgot forget finish finished favor por cancel quit hold hang wait`);

/** Everyday words that fill sentences about oneself ("I'm late", "this is urgent") and are hardly ever a name. */
export const EVERYDAY_WORDS = wordSet(`
able abroad account accident ache address adult afraid age aggressive agent alive allergic allergy alone amazing american anemic angry annoyed
anonymous anxious appointment asleep asking asthmatic aware awful baby back bad bank bed behind big bill billing bleeding blind blood book
booked booking bored born bothering box boy breakfast british broke broken brother burned busy buy call called caller canadian car card care
careful caring cat catholic cell certain changed changing charge charged cheap check checking checkup child children chinese christian claim
clear client clinic close closed cold comfortable coming company complaint complete completely concerned confident confirmed confused confusing
congested coughing country crazy critical curious customer cute dad date daughter dead deaf dealing delayed delivery dental dentist department
depressed desk diabetic different difficult dinner disabled disappointed divorced dizzy doctor dog double driver driving drunk due dying early
easy eating elderly email emergency employee empty engaged english epileptic excited exhausted expecting experiencing facing fair family famous
fantastic fast father feeling fever feverish filing fine finished fixing flat flexible food foreign forgetting forty fifty free french freezing
fresh friend frightened frustrated frustrating full fun funny furious german gift girl glad good grateful guest guy guys happy hard harder
having head headache health healthy hearing heart heavy help helpful high hoping home homeless honest horrible hospital hot hotel house huge
human hungry hurt hurting husband ill illegal important impossible impressed inconvenient indian injured inquiring inside insurance insured
interested interesting invoice irritated italian japanese job joking kid kidding kids kidney late leaving left lesson letter level light line
list listening living local locked long looking lonely loose losing lost loud love lovely low lucky lunch machine mad mail man manager married
member message middle migrating miserable missing mistake mom money mother moving muslim name nausea nauseous neck nervous new nice noon normal
number numb nurse nuts odd office old online open operator order outraged outside overdue overwhelmed owner pain painful paid panicking paper
parent part partner party past patient paying pending people person personal phone phoning pick plan planning policy polish poor possible
pregnant present previous private problem product proud question quick quiet raining ready real reaching received receiving referring refund
regarding regular related replying representative reschedule rescheduling reservation retired returning rich ridiculous ringing robot room
russian sad safe satisfied scam scared schedule scheduling self sending serious service shaking shame shocked shopping short shy sick side
silly simple single sister sitting sleeping sleepy slow small smoking sneezing sober soldier somehow son sore spam spanish special standing
start starting staying stomach strange stressed strong struggling stuck student stuff stupid suffering super support surprised swollen
swamped sweet table talking tall teacher telling terrible terrified test thankful thinking thirsty throat time tired tooth toothache total
totally town traveling travelling trip trouble trustworthy unable unavailable uncertain uncomfortable under unemployed unhappy unhelpful unsure
unwell upset urgent user vegan vegetarian veteran visiting visitor volunteer vomiting waitlisted walking warm wasting watching weak wedding
weird welcome wet wife willing winter woman wondering work worker working worried worse worst worth writing young yelling yellow red blue
green black white brown orange purple pink mr mrs ms sir madam ma'am everyone anybody kinda sorta change move booking available availability
tv internet router phone computer laptop website app delivery package shipment parcel flight ticket tickets train bus taxi cab question
complicated unusual uncommon common spanish espanol pizza burger salad coffee cheese large medium chicken fish
information details help assistance update status payment credit debit cash dollars euros pounds sales technical tech hr accounting reception
front operator extension voicemail machine robot bot ai computer assistant siri alexa google gonna nobody nothing`);

/** Titles before a name, left out of it. */
export const TITLES = wordSet('mr mrs ms miss mister missus dr doctor prof professor sir madam');

/** Words inside a surname that stay in lower case. */
export const PARTICLES = wordSet(
  'van der den de la las los le du di da do dos das del della bin ibn al el von zu ter ten af av und y e',
);

/** Common given names: in lower-case text they tell "this is maria" from "this is terrible". */
export const GIVEN_NAMES = wordSet(`
aaron abby abdul abigail abraham adam adele adrian ahmed aisha alan albert alejandro alex alexander alexandra alexis alfred ali alice alicia
alison allen alma amanda amber amelia amir amy ana andre andrea andreas andrew andy angela angelica angie anita ann anna anne annie anthony
antonio april arjun arthur ashley audrey austin ava barbara ben benjamin bernard bernie beth betty beverly bill billy bob bobby bonnie brad
bradley brandon brenda brian brittany bruce bryan caleb cameron camila carl carla carlos carmen carol caroline carolyn carrie catherine cathy
cecilia charles charlie charlotte chen cheryl chloe chris christian christina christine christopher cindy claire clara claudia colin connie
connor craig crystal cynthia daisy dan dana daniel daniela danielle danny darren dave david dawn dean deborah debbie debra denise dennis derek
diana diane diego dmitri dominic don donald donna doris dorothy doug douglas dylan ed eddie edgar edith eduardo edward elena eli elias elijah
elizabeth ella ellen emily emma eric erica erik erin ethan eugene eva evan evelyn fatima felix fernando fiona florence frances francis francisco
frank fred gabriel gabriela gary gavin george gerald gina giovanni glenn gloria gordon grace graham greg gregory guy hannah harold harry hassan
heather hector heidi helen helena henry holly howard hugo ian ibrahim igor irene isaac isabel isabella ivan jack jackie jackson jacob jacqueline
jake james jamie jan jane janet janice jared jasmine jason javier jay jean jeff jeffrey jennifer jenny jeremy jerry jesse jessica jesus jill
jim jimmy jo joan joanna joe joel johanna john johnny jon jonathan jordan jorge jose joseph josephine josh joshua joy joyce juan juanita judith
judy julia julian juliana julie june justin karen karl karim kate katherine kathleen kathryn kathy katie kayla keith kelly ken kenneth kevin
khadija kim kimberly kyle larry laura lauren laurie lawrence leah lee leila lena leo leon leonard leslie liam lila lily linda lindsay lisa liz
logan lori louis louise luca lucas lucia lucy luis luke luna lydia lynn maddie madison malik manuel marc marcia marco marcus margaret maria
mariam marie marilyn mario marion marjorie mark marlene martha martin marvin mary mateo matt matthew maureen max maya megan mei melanie melissa
mia michael michele michelle miguel mike mila milan mildred mohamed mohammed molly monica muhammad nadia nancy naomi natalia natalie natasha
nathan neil nicholas nick nicola nicole nina noah nora norma oliver olivia omar oscar pablo pamela pat patricia patrick paul paula pauline
pedro peggy penny pete peter phil philip phillip phyllis pierre priya rachel rafael raj ralph ramon randy raul ravi ray raymond rebecca
ricardo richard rick ricky rita rob robert roberta roberto robin rodrigo roger ron ronald ronnie rosa rosemary roy ruby russell ruth ryan sally
sam samantha samir samuel sandra sandy sanjay santiago sara sarah scott sean sebastian sergio seth shannon sharon shawn sheila sherry shirley
simon sofia sonia sophia sophie stacy stan stanley stella stephanie stephen steve steven stuart sue susan suzanne sylvia tamara tammy tanya
tara ted teddy teresa terry theodore theresa thomas tiffany tim timothy tina todd tom tommy tony tracy travis tyler valerie vanessa vera
veronica vicky victor victoria vincent viola violet virginia vivian vladimir walter wanda wayne wei wendy wesley will william willie xavier
yasmin yolanda yusuf yvonne zachary zainab zoe rose hope faith dale chase drew hunter mason cole miles harper beth xochitl kwame ali mei pilar ines jorge juanita ingrid sven
olga yuri anya tariq leila deepak sunil anjali kofi ama chidi ngozi hiroshi yuki kenji minh linh thanh`);
