//! schema.org types of JSON-LD objects that stand for the owner of a site: organisations, and the kinds of local business.

use limner_assets::json_ld::{self, JsonLdObject};

/// Types whose logo, profiles and name are those of a site.
const OWNERS: &[&str] = &[
    "Organization",
    "Corporation",
    "NewsMediaOrganization",
    "LocalBusiness",
    "OnlineStore",
    "Store",
    "Restaurant",
    "Brand",
    "WebSite",
    "EducationalOrganization",
    "CollegeOrUniversity",
    "GovernmentOrganization",
    "NGO",
    "SportsTeam",
    "MusicGroup",
    "SoftwareApplication",
];

/// The other types of `Organization` in schema.org, sorted.
const ORGANIZATIONS: &[&str] = &[
    "AccountingService",
    "AdultEntertainment",
    "Airline",
    "AmusementPark",
    "AnimalShelter",
    "ArchiveOrganization",
    "ArtGallery",
    "Attorney",
    "AutoBodyShop",
    "AutoDealer",
    "AutoPartsStore",
    "AutoRental",
    "AutoRepair",
    "AutoWash",
    "AutomatedTeller",
    "AutomotiveBusiness",
    "Bakery",
    "BankOrCreditUnion",
    "BarOrPub",
    "BeautySalon",
    "BedAndBreakfast",
    "BikeStore",
    "BookStore",
    "BowlingAlley",
    "Brewery",
    "CafeOrCoffeeShop",
    "Campground",
    "Casino",
    "ChildCare",
    "ClothingStore",
    "ComedyClub",
    "ComputerStore",
    "Consortium",
    "ConvenienceStore",
    "Cooperative",
    "CovidTestingFacility",
    "DanceGroup",
    "DaySpa",
    "Dentist",
    "DepartmentStore",
    "DiagnosticLab",
    "Distillery",
    "DryCleaningOrLaundry",
    "Electrician",
    "ElectronicsStore",
    "ElementarySchool",
    "EmergencyService",
    "EmploymentAgency",
    "EntertainmentBusiness",
    "ExerciseGym",
    "FastFoodRestaurant",
    "FinancialService",
    "Florist",
    "FoodEstablishment",
    "FundingAgency",
    "FurnitureStore",
    "GardenStore",
    "GasStation",
    "GeneralContractor",
    "GolfCourse",
    "GroceryStore",
    "HVACBusiness",
    "HairSalon",
    "HardwareStore",
    "HealthAndBeautyBusiness",
    "HealthClub",
    "HighSchool",
    "HobbyShop",
    "HomeAndConstructionBusiness",
    "HomeGoodsStore",
    "Hospital",
    "Hostel",
    "Hotel",
    "HousePainter",
    "IceCreamShop",
    "InsuranceAgency",
    "InternetCafe",
    "JewelryStore",
    "LegalService",
    "Library",
    "LibrarySystem",
    "LiquorStore",
    "Locksmith",
    "LodgingBusiness",
    "MedicalBusiness",
    "MedicalClinic",
    "MedicalOrganization",
    "MensClothingStore",
    "MiddleSchool",
    "MobilePhoneStore",
    "Motel",
    "MotorcycleDealer",
    "MotorcycleRepair",
    "MovieRentalStore",
    "MovieTheater",
    "MovingCompany",
    "MusicStore",
    "NailSalon",
    "NightClub",
    "Notary",
    "OfficeEquipmentStore",
    "OnlineBusiness",
    "Optician",
    "OutletStore",
    "PawnShop",
    "PerformingGroup",
    "PetStore",
    "Pharmacy",
    "Physician",
    "Plumber",
    "PoliticalParty",
    "Preschool",
    "ProfessionalService",
    "Project",
    "PublicSwimmingPool",
    "RadioStation",
    "RealEstateAgent",
    "RecyclingCenter",
    "ResearchOrganization",
    "ResearchProject",
    "Resort",
    "RoofingContractor",
    "School",
    "SearchRescueOrganization",
    "SelfStorage",
    "ShoeStore",
    "ShoppingCenter",
    "SkiResort",
    "SportingGoodsStore",
    "SportsActivityLocation",
    "SportsClub",
    "SportsOrganization",
    "StadiumOrArena",
    "TattooParlor",
    "TelevisionStation",
    "TennisComplex",
    "TheaterGroup",
    "TireShop",
    "TouristInformationCenter",
    "ToyStore",
    "TravelAgency",
    "VacationRental",
    "VeterinaryCare",
    "WholesaleStore",
    "Winery",
    "WorkersUnion",
];

/// Returns the type of an object that stands for the owner of a site.
pub(super) fn owner_type(node: &JsonLdObject) -> Option<&'static str> {
    let known = || OWNERS.iter().copied().find(|name| json_ld::has_type(node, name));
    kind_of_organization(node).or_else(known)
}

/// Returns the type of an organisation of one of the narrower kinds.
pub(super) fn kind_of_organization(node: &JsonLdObject) -> Option<&'static str> {
    let of_name = |written: &str| {
        let name = written.rsplit(['/', '#', ':']).next()?;
        ORGANIZATIONS.binary_search(&name).ok().map(|at| ORGANIZATIONS[at])
    };
    let types = [json_ld::strings(node, "@type"), json_ld::strings(node, "type")];
    types.into_iter().flatten().find_map(of_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn organizations_are_sorted_for_the_search() {
        assert!(ORGANIZATIONS.is_sorted());
    }

    #[test]
    fn owners_are_recognised_by_their_types() {
        for (types, expected) in [
            (json!("Organization"), Some("Organization")),
            (json!("https://schema.org/Dentist"), Some("Dentist")),
            (json!(["LocalBusiness", "Plumber"]), Some("Plumber")),
            (json!("Product"), None),
            (json!("Person"), None),
        ] {
            let node = json!({ "@type": types });
            assert_eq!(node.as_object().and_then(owner_type), expected, "{node}");
        }
    }
}
